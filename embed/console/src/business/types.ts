// The records of the seller's configuration, and the values that they may have.
import type { Schema } from '@shell';

export type Business = Schema<'BusinessShown'>;
export type Offer = Schema<'BusinessShownOffer'>;
export type Funnel = Schema<'BusinessShownFunnel'>;
export type Stage = Schema<'BusinessStage'>;
export type Identity = Schema<'BusinessShownIdentity'>;
export type Communication = Schema<'BusinessCommunication'>;
export type LanguageProfile = Schema<'BusinessLanguageProfile'>;
export type Settings = Schema<'BusinessShownSettings'>;
export type Week = Schema<'HoursWeek'>;
export type Span = Schema<'HoursSpan'>;
export type KnowledgeSource = Schema<'SourceShown'>;
export type Report = Schema<'PricelistReport'>;
export type Language = Business['default_language'];
export type Action = Stage['allowed_actions'][number];
export type Trigger = Stage['handoff_rules'][number];
export type Scenario = Settings['approved_scenarios'][number];

export const languages = ['uz', 'ru', 'en'] as const;
export const offerTypes = ['PRODUCT', 'SERVICE', 'SUBSCRIPTION', 'BUNDLE'] as const;
export const availabilities = ['AVAILABLE', 'PREORDER', 'OUT_OF_STOCK', 'SEASONAL'] as const;
export const currencies = ['UZS', 'USD', 'EUR', 'RUB', 'KZT'] as const;
export const scenarios = ['FAQ', 'PRICING', 'AVAILABILITY', 'DELIVERY', 'BOOKING', 'ORDER_STATUS', 'SMALL_TALK'] as const;
export const actions = [
  'GREET',
  'ASK_QUESTION',
  'ANSWER',
  'PRESENT_OFFER',
  'QUOTE_PRICE',
  'HANDLE_OBJECTION',
  'PROPOSE_BOOKING',
  'SEND_FILE',
  'ASK_CONTACT',
  'CLOSE',
  'FOLLOW_UP',
  'HANDOFF',
] as const;
export const triggers = [
  'HUMAN_REQUESTED',
  'COMPLAINT',
  'LOW_CONFIDENCE',
  'SENSITIVE_TOPIC',
  'PRICING_EXCEPTION',
  'HIGH_VALUE_LEAD',
  'POLICY_UNCERTAINTY',
  'CALENDAR_AMBIGUITY',
  'REPEATED_FAILURES',
  'CUSTOM',
] as const;
/** Nothing switches these off. */
export const always: readonly string[] = ['HUMAN_REQUESTED', 'COMPLAINT'];

/** As many as a business may have of what is shown without pages. */
export const whole = { limit: 100 };

/** A text field's value as the API takes it: nothing is null. */
export const orNull = (s: string): string | null => s.trim() || null;
