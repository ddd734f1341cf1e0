import { keeping } from './keeping.ts';
import type { Message, ParamsOf } from './message.ts';
import { reading } from './reading.ts';
import { assistant, setup } from './setup.ts';
import { shops } from './shops.ts';

export const errors = {
  ...setup.entries,
  ...keeping.entries,
  ...reading.entries,
  ...assistant.entries,
  ...shops.entries,
} satisfies Readonly<Record<string, Message>>;

export type ErrorCode = keyof typeof errors;

export type ErrorParams<C extends ErrorCode> = ParamsOf<(typeof errors)[C]>;
