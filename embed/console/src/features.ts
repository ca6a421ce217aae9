// The parts of the console. A new one is one line.
import type { Feature } from '@shell/first';
import { feature as account } from './account';
import { feature as admin } from './admin';
import { feature as recipient } from './recipient';

export const features: readonly Feature[] = [account, recipient, admin];
