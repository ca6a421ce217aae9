// The page around sign-in.
import { Center, Group, Paper, Title } from '@mantine/core';
import { type ComponentProps, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageMenu } from '../frame/LanguageMenu';
import { SignIn } from './SignIn';

export default function Welcome(props: ComponentProps<typeof SignIn>) {
  const { t } = useTranslation('shell');
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper w={400} maw="100%" p="xl" withBorder>
        <Group justify="space-between" mb="lg">
          <Title order={1} size="h3">
            {t('signin.title')}
          </Title>
          <LanguageMenu />
        </Group>
        <Suspense>
          <SignIn {...props} />
        </Suspense>
      </Paper>
    </Center>
  );
}
