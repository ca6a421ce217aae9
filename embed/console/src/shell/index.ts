// What the features use of the shell; see README.md.
import 'virtual:mantine-pages.css';
export type { Command, Feature, Found, NavEntry, PageRoute } from './feature';

export { type Answer, type Body, call, type PathOf, type Query, type Schema } from './api/client';
export { ApiError, asApiError, problemOf } from './api/error';
export { get, queries, refresh, useGet } from './api/query';
export { newKey, useAction } from './api/action';
export type { Href } from './addresses';
export { Link, useNavigate } from './link';
export { useIsBeside, useListAddress } from './split/pane';
export { late } from './api/part';
export { useFiles } from './api/files';
export { upload } from './api/upload';

export { useSimulator } from './frame/Banners';
export { type Me, type Permission, startAnew, useCan, useMe, useSupport } from './session/me';
export { TwoFactor } from './session/TwoFactor';
export { useEvents, useStreamState } from './events/Events';
export type { StreamEvent } from './events/stream';

export { type Format, useFormat } from './language/format';
export { currentZone, dayOf, startOfDay, wallOf } from './language/zone';
export { currentLanguage, dayjsLocale } from './language/i18n';
export { codeWord, fieldWord, limitWord, valueWord, wrongWord } from './codes';
export { detailsOf, sentenceOf } from './language/problem';

export { List } from './list/List';
export type { Bulk, Column, Filter, Selection } from './list/types';
export { useListState } from './list/state';

export { Changes } from './page/Changes';
export { useChosenInSight } from './page/chosen';
export { Confirm } from './page/Confirm';
export { Copy } from './page/Copy';
export { Dialog, SideDialog } from './page/Dialog';
export { Empty, Failed, NotFound } from './page/Empty';
export { showDone, showFound, showProblem } from './page/notify';
export { type Above, Page } from './page/Page';
export { Beside, Inline, Json, type Moment, Name, Num, Pale, Status, Tag, Timeline, When } from './page/parts';
export { Qr } from './page/Qr';
export { Secret } from './page/Secret';
export { Sections } from './page/Sections';
export { NamedThing, prefixOf, Thing, ThingById, usePageOf } from './page/Thing';
export { useHeld } from './page/held';
export { Unsaved } from './page/Unsaved';
