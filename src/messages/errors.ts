import { keeping } from './keeping.ts';
import type { Message, ParamsOf } from './message.ts';
import { reading } from './reading.ts';
import { assistant, setup } from './setup.ts';
import { shops } from './shops.ts';

/** What each code of an error means. */
export const errors = {
  ...setup.entries,
  ...keeping.entries,
  ...reading.entries,
  ...assistant.entries,
  ...shops.entries,
} satisfies Readonly<Record<string, Message>>;

export type ErrorCode = keyof typeof errors;

/** What the texts of a code take. */
export type ErrorParams<C extends ErrorCode> = ParamsOf<(typeof errors)[C]>;
