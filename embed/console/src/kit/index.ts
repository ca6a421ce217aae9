// What several features are made of: the composer of messages, and pickers of people.
export { Bubble, MessageBubble } from './message/Bubble';
export { Composer, PlainComposer } from './message/Composer';
export { type Format, formats, type Message, optOut, wordsOf } from './message/message';
export { PeopleSelect } from './people/PeopleSelect';
export { PersonSelect } from './people/PersonSelect';
export { personLabel, personName } from './people/person';
