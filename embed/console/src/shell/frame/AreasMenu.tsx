import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Area } from '../feature';
import type { Entry } from './areas';
import { areaIcons, AreasButton } from './MenuButtons';
import { Link } from '../link';

interface Props {
  all: readonly { area: Area; entries: Entry[] }[];
  /** The area that is open. */
  open: Area;
  /** The menu is open from the beginning. */
  opened: boolean;
  onGo: () => void;
}

/** The way to the other areas of the navigation. */
export function AreasMenu({ all, open, opened, onGo }: Props) {
  const { t } = useTranslation('shell/frame');
  return (
    <Menu width="target" position="bottom-start" defaultOpened={opened}>
      <Menu.Target>
        <AreasButton open={open} />
      </Menu.Target>
      <Menu.Dropdown>
        {all.map(({ area, entries }) => {
          const Icon = areaIcons[area];
          return (
            <Menu.Item
              key={area}
              component={Link}
              to={entries[0]!.to}
              leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
              aria-current={area === open || undefined}
              fw={area === open ? 600 : undefined}
              onClick={onGo}
            >
              {t(`area.${area}`)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
