import { documents } from './documents.ts';
import { holds } from './holds.ts';
import { type Message, type Params, type ParamsOf, say } from './message.ts';

export const reasons = { ...holds.entries, ...documents.entries };

export type DocumentCode = keyof typeof reasons;

/** `message`: a sentence that was made before. */
export type Said =
  | { [C in DocumentCode]: [code: C, params: ParamsOf<(typeof reasons)[C]> & Params] }[DocumentCode]
  | [code: string, params: { message: string }];

export function meaningOf(code: string): string | undefined {
  const [means] = (reasons as Readonly<Record<string, Partial<Message>>>)[code] ?? [];
  return means && say(means);
}

/** A report about many documents shows a title, and how to keep more from coming. */
export interface Cause {
  title: string;
  resolution: string;
}

export function causeOf(code: string): Cause | null {
  const [means, fix, prevent]: Partial<Message> = Object.hasOwn(reasons, code)
    ? ((reasons as Readonly<Record<string, Message>>)[code] ?? [])
    : [];
  if (means === undefined || fix === undefined) return null;
  return { title: say(means).replace(/\.$/, ''), resolution: prevent ?? say(fix) };
}
