// What several features are made of: the composer of messages, and pickers of people.
export type { Use } from './charts/days';
export { RequestsChart } from './charts';
export { Bubble, MessageBubble } from './message/Bubble';
export { Composer, PlainComposer } from './message/Composer';
export { Formatted } from './message/Formatted';
export { ReplyComposer } from './message/ReplyComposer';
export { type Format, formats, type Message, optOut, wordsOf } from './message/message';
export { VirtualRows } from './rows/VirtualRows';
export { PeopleSelect } from './people/PeopleSelect';
export { PersonSelect } from './people/PersonSelect';
export { personLabel, personName } from './people/person';
export { money } from './money';
export { FeedbackButton } from './feedback/FeedbackButton';
export { labels } from './feedback/labels';
