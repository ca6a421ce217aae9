import { ActionIcon, Tooltip } from '@mantine/core';
import { IconVolume, IconVolumeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { play, setSound, soundIsOn } from './sound';

/** Whether this browser sounds when a customer writes. Switched on, it is heard once. */
export function SoundSwitch() {
  const { t } = useTranslation('inbox');
  const [on, turn] = useState(soundIsOn);
  const change = () => {
    setSound(!on);
    turn(!on);
    if (!on) play();
  };
  const Icon = on ? IconVolume : IconVolumeOff;
  return (
    <Tooltip label={t(on ? 'sound.on' : 'sound.off')}>
      <ActionIcon variant="default" size={36} aria-label={t('sound.label')} aria-pressed={on} onClick={change}>
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
