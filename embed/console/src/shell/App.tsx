import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { queries } from './api/query';
import type { Feature } from './feature';
import { makeRouter } from './frame/router';
import { Session } from './session/Session';
import { theme, variables } from './theme/theme';

const schemes = localStorageColorSchemeManager({ key: 'svc.theme' });

export function App({ features }: { features: readonly Feature[] }) {
  const [router] = useState(() => makeRouter(features));
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} colorSchemeManager={schemes} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" limit={4} />
        <Suspense>
          <Session><RouterProvider router={router} /></Session>
        </Suspense>
      </QueryClientProvider>
    </MantineProvider>
  );
}
