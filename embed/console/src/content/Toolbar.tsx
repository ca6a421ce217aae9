import { ActionIcon, Button, Group, Menu, Tooltip } from '@mantine/core';
import { useCan, useGet } from '@shell';
import {
  IconBlockquote,
  IconBold,
  IconCode,
  IconEyeOff,
  IconItalic,
  IconLink,
  IconStrikethrough,
  IconUnderline,
  IconVariable,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Format } from './choices';
import { type Edit, insert, mark, styles } from './marks';

const icons = {
  bold: IconBold,
  italic: IconItalic,
  underline: IconUnderline,
  strikethrough: IconStrikethrough,
  spoiler: IconEyeOff,
  code: IconCode,
  link: IconLink,
  quote: IconBlockquote,
};
const everybody = ['first_name', 'last_name', 'username', 'opt_out_url'] as const;

/** The buttons above the text: what the markup of the format knows, and variables. */
export function Toolbar({ format, onEdit }: { format: Format; onEdit: (make: (text: string, from: number, to: number) => Edit) => void }) {
  const { t } = useTranslation('content');
  const own = useOwnFields();
  const put = (name: string) => onEdit((text, from, to) => insert(text, from, to, `{{${name}}}`));
  return (
    <Group gap={2} mb="xs" role="toolbar" aria-label={t('toolbar')}>
      {format !== 'PLAIN' &&
        styles.map((s) => {
          const Icon = icons[s];
          return (
            <Tooltip key={s} label={t(`style.${s}`)}>
              <ActionIcon
                color="gray"
                c="var(--mantine-color-text)"
                onClick={() => onEdit((text, from, to) => mark(text, from, to, s, format))}
                aria-label={t(`style.${s}`)}
              >
                <Icon size={17} stroke={1.7} aria-hidden />
              </ActionIcon>
            </Tooltip>
          );
        })}
      <Menu>
        <Menu.Target>
          <Button size="compact-sm" variant="default" leftSection={<IconVariable size={15} aria-hidden />}>
            {t('variable')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {everybody.map((name) => (
            <Menu.Item key={name} onClick={() => put(name)}>
              {t(`variables.${name}`)}
            </Menu.Item>
          ))}
          {own.length > 0 && <Menu.Divider />}
          {own.map((name) => (
            <Menu.Item key={name} onClick={() => put(name)}>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

/** The own fields that the newest recipients have. */
function useOwnFields(): string[] {
  const can = useCan();
  const { data } = useGet('/recipients', { query: { limit: 50 } }, { enabled: can('recipients:read') });
  return [...new Set((data?.data ?? []).flatMap((r) => Object.keys(r.attributes ?? {})))].sort();
}
