import { ecuadorDay, toServiceDate } from '../../src/domain/clock.ts';
import { type Amount, decimal } from '../../src/domain/money.ts';
import type { Action } from '../../src/planner/action.ts';
import { asXml } from '../mappers/as-xml.ts';

/** A document of a case with what proves it. */
export interface ProvableDocument {
  kind: Action['kind'];
  xml: string;
  /** What the sandbox has against the body; its XML is empty where it refuses to read it. */
  complaints: readonly string[];
  /** What was charged or given back. */
  charged: Amount;
  difference: Amount | null;
  /** Whether some rate's tax had to be stated a cent off, because no base reaches the money or is left. */
  statedTax: boolean;
}

/** What the sandbox makes of an action that emits, as XML with a line for every element. */
export function documentOf({ kind, body, charged, difference }: Action, now: Date): ProvableDocument {
  const { complaints, xml } = asXml(body, kind, toServiceDate(ecuadorDay(now)));
  const statedTax = (body?.totales ?? []).some(
    ({ codigo, base_imponible, tarifa, valor }) =>
      codigo !== '5' && !decimal(base_imponible).times(tarifa).div(100).toDecimalPlaces(2).equals(valor),
  );
  return { kind, complaints, xml: indented(xml), charged, difference, statedTax };
}

/** Why there is no document, with the figures. */
export function verdictOf({ code, reason, buyerReason, charged, document, difference }: Action) {
  return { code, reason, buyerReason, charged, document, difference };
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A line for every element; white space between elements means nothing to the schema. */
function indented(xml: string): string {
  let depth = 0;
  const lines = xml.split(/(?<=>)(?=<)/).map((piece) => {
    const closes = piece.startsWith('</');
    if (closes) depth -= 1;
    const line = `${'  '.repeat(depth)}${piece}`;
    if (!closes && !/^<\?|<\/|\/>$/.test(piece)) depth += 1;
    return line;
  });
  return `${lines.join('\n')}\n`;
}
