import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// A page that is loaded when it is shown takes longer on a busy machine than a second.
configure({ asyncUtilTimeout: 4000 });
afterEach(cleanup);
