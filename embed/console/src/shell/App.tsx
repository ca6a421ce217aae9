import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { late } from './api/part';
import { queries } from './api/query';
import type { Feature } from './feature';
import { makeRouter } from './frame/router';
import { Session } from './session/Session';
import { theme, variables } from './theme/theme';

const Notices = late(() => import('./page/Notices'));
const schemes = localStorageColorSchemeManager({ key: 'svc.theme' });

export function App({ features }: { features: readonly Feature[] }) {
  const [router] = useState(() => makeRouter(features));
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} colorSchemeManager={schemes} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <Suspense>
          <Notices />
        </Suspense>
        <Suspense>
          <Session>
            <RouterProvider router={router} />
          </Session>
        </Suspense>
      </QueryClientProvider>
    </MantineProvider>
  );
}
