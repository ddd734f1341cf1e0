import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { alertTexts } from '../../src/messages/alerts.ts';
import { waitWords } from '../../src/messages/timeline.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = globSync('src/jobs/**/*.ts', { cwd: root }).map((file) => readFileSync(root + file, 'utf8'));

const protocol = globSync('src/protocol/*.ts', { cwd: root }).map((file) =>
  readFileSync(root + file, 'utf8'),
);

/** The reasons of waiting jobs, as handlers and protocol write them. */
const decided = protocol.flatMap((source) =>
  [...source.matchAll(/(?:\b(?:schedule|backOff)\([^;]*?|\bwhy = )'([a-z][^' ]* [^']*)'/g)].map(
    ([, why = '']) => why,
  ),
);
const reasons = sources.flatMap((source) =>
  [...source.matchAll(/(?:\breason: |\bagain\([^'`;]*)(?:'([^']+)'|`([^`]+)`)/g)]
    .map(([, plain, template = '']) => plain ?? template)
    .filter((reason) => /^(\$\{open\} )?[a-z].* /.test(reason)),
);
const filled = (reason: string) =>
  reason
    .replace(/\$\{open\}/, '3')
    .replace(/\$\{what\}/, 'channel')
    .replace(/\$\{(pause\.)?cause\}/, 'credits');

it.each([...new Set([...reasons, ...decided])])(
  'a merchant reads in Spanish why a job waits: %s',
  (reason) => {
    expect(waitWords(filled(reason))).toMatch(/^(El|La|Se|Sus|Cambió) .*\.$/);
  },
);

it('knows the reasons of handlers and protocol', () => {
  expect(new Set([...reasons, ...decided]).size).toBeGreaterThan(15);
  expect(decided.length).toBeGreaterThan(8);
});

it('a paused account says why', () => {
  expect(waitWords('the account is paused: clock')).toBe(alertTexts('account-clock').what);
});

it('the messages of our errors stay, and a defect is named as one', () => {
  expect(waitWords('shop-away: La tienda no responde.')).toBe('shop-away: La tienda no responde.');
  expect(waitWords('TypeError: x is not a function')).toMatch(
    /^Falló por un error del programa.*: TypeError/,
  );
});
