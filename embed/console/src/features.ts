// The parts of the console. A new one is one line.
import type { Feature } from '@shell/first';
import { feature as account } from './account';
import { feature as campaign } from './campaign';
import { feature as admin } from './admin';
import { feature as calendar } from './calendar';
import { feature as channel } from './channel';
import { feature as content } from './content';
import { feature as inbox } from './inbox';
import { feature as business } from './business';
import { feature as engine } from './engine';
import { feature as insight } from './insight';
import { feature as quality } from './quality';
import { feature as seller } from './seller';
import { feature as overview } from './overview';
import { feature as place } from './place';
import { feature as recipient } from './recipient';
import { feature as notify } from './notify';
import { feature as audit } from './audit';
import { feature as event } from './event';
import { feature as hook } from './hook';
import { feature as org } from './org';
import { feature as session } from './session';

export const features: readonly Feature[] = [
  overview,
  account,
  channel,
  campaign,
  recipient,
  inbox,
  business,
  calendar,
  insight,
  seller,
  content,
  admin,
  place,
  session,
  org,
  hook,
  engine,
  quality,
  event,
  audit,
  notify,
];
