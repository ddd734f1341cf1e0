import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pauseCauses } from '../../src/domain/job.ts';
import { shopHoldCodes } from '../../src/domain/shop-identity.ts';
import { alertCodes } from '../../src/jobs/announce.ts';

/** A code as a source writes it. */
export interface Written {
  code: string;
  /** `ShopError`, `Hold`, `item` …; `code` where an object or a constant of that name holds it. */
  by: string;
  file: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where codes get their words. */
const others = /^src\/messages\//;

/** Errors of ours and the mappers' Hold; what else is thrown is a defect and has no code. */
const errors = [
  'ConfigError',
  'PayloadError',
  'ShopError',
  'IntegrityError',
  'LedgerError',
  'CommandError',
  'DeliveryError',
  'BusyError',
  'Hold',
];

/** Where codes stand: what catches the place, and the text around the quoted code. */
const places: readonly { by: string | null; pattern: RegExp; only?: RegExp }[] = [
  { by: null, pattern: new RegExp(`new (${errors.join('|')})\\(\\s*([^,\`]*?),`, 'g') },
  {
    by: 'verdict',
    pattern: /\b(?:emit|nothing|wait|hold|manual|unnamed)\(()\s*([^,;]*?),/g,
    only: /^src\/planner\//,
  },
  { by: 'item', pattern: /\b(?:item|did|failed|failedBy|orItem)\(()\s*('[\w-]+')/g },
  { by: 'item', pattern: /\[code, \w+\] =()([^;]*);/g },
  { by: 'code', pattern: /\bcode(?::| =(?!=))()([^,;{}\n]*(?:\n\s+[?:][^,;{}\n]*)*)/g },
  {
    by: 'code',
    pattern: /\b(?:ofDocument|differenceOf)\(()\s*('[\w-]+'),/g,
    only: /^src\/reports\/(close|export)\//,
  },
];

/** No codes of ours: zod's own, a Node error's, a word for a type. */
const foreign = new Set(['custom', 'string', 'code', 'unknown']);

/** Every code in the sources, as far as it is written out there. */
export function writtenCodes(): Written[] {
  const files = globSync('{src,adapters,mappers}/**/*.ts', { cwd: root }).filter(
    (file) => !others.test(file),
  );
  return files.flatMap((file) => {
    const text = withoutComments(readFileSync(`${root}/${file}`, 'utf8'));
    return places.flatMap(({ by, pattern, only }) => {
      if (only && !only.test(file)) return [];
      return [...text.matchAll(pattern)].flatMap(([, name, around = '']) =>
        quoted(around).map((code) => ({ code, by: by ?? name ?? '', file })),
      );
    });
  });
}

const quoted = (text: string) =>
  [...text.matchAll(/(?<!=== )'([a-z][a-z0-9]*(?:-[a-z0-9]+)*)'/g)]
    .map(([, code = '']) => code)
    .filter((code) => !foreign.has(code));

const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');

/** Codes that are put together where they are used. */
export const builtCodes: readonly string[] = [
  ...pauseCauses.map((cause) => `account-${cause}`),
  ...alertCodes,
  ...shopHoldCodes,
  // The planner hands on how far an order is paid (src/domain/order.ts).
  'unpaid',
  'partially-paid',
];
