// The parts of the console. A new one is one line.
import type { Feature } from '@shell/first';
import { feature as recipient } from './recipient';

export const features: readonly Feature[] = [recipient];
