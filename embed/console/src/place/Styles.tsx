import { Code, Paper, SegmentedControl, Select, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Copy, late, Page } from '@shell';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMap } from './api';
import { Refused } from './Setup';
import { pageSnippet, styleSnippet } from './snippet';

const Canvas = late(() => import('./Canvas'));
const languages = ['uz', 'ru', 'en'] as const;

/** The looks of the map, each as an address and as a page to copy. */
export default function Styles() {
  const { t } = useTranslation('place');
  const { data, error, refetch } = useMap('/styles/styles.json');
  const { data: status } = useMap('/api/status');
  const [chosen, setChosen] = useState('light');
  const [language, setLanguage] = useState<string>('uz');
  const url = `${location.origin}/styles/${chosen}.json?lang=${language}&key=YOUR_KEY`;
  return (
    <Page title={t('styles.title')} lead={t('styles.lead')}>
      {error && !data && <Refused error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={400} />}
      {data && (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <Stack>
            <Select
              label={t('styles.style')}
              data={data.map((s) => ({ value: s.id, label: t(`styles.name.${s.id}`, s.name) }))}
              value={chosen}
              onChange={(v) => setChosen(v ?? 'light')}
              allowDeselect={false}
            />
            <Paper p={0} h={380}>
              <Suspense fallback={<Skeleton h={380} />}>
                <Canvas
                  label={t('map')}
                  style={chosen}
                  language={language}
                  bounds={status?.bounds}
                  height="380px"
                  key={status ? 'placed' : 'asking'}
                />
              </Suspense>
            </Paper>
          </Stack>
          <Stack>
            <div>
              <Text size="sm" fw={550} mb={4}>
                {t('styles.language')}
              </Text>
              <SegmentedControl
                data={languages.map((value) => ({ value, label: t(`styles.lang.${value}`) }))}
                value={language}
                onChange={setLanguage}
                aria-label={t('styles.language')}
              />
            </div>
            <Title order={2}>{t('styles.address')}</Title>
            <Copy value={url} />
            <Text size="sm" c="dimmed">
              {t('styles.key')}
            </Text>
            <Title order={2}>{t('styles.page')}</Title>
            <Text size="sm">{t('styles.pageText')}</Text>
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {pageSnippet(location.origin, chosen, language)}
            </Code>
            <Title order={2}>{t('styles.own')}</Title>
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {styleSnippet(url)}
            </Code>
          </Stack>
        </SimpleGrid>
      )}
    </Page>
  );
}
