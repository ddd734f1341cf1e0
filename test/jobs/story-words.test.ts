import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pauseWords } from '../../src/domain/account-pause.ts';
import { waitWords } from '../../src/jobs/story-words.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = globSync('src/jobs/**/*.ts', { cwd: root }).map((file) => readFileSync(root + file, 'utf8'));

const protocol = globSync('src/protocol/*.ts', { cwd: root }).map((file) =>
  readFileSync(root + file, 'utf8'),
);

/** What handlers and protocol say of a job that comes back later, as their sources write it. */
const decided = protocol.flatMap((source) =>
  [...source.matchAll(/(?:\b(?:wait|backOff)\([^;]*?|\bwhy = )'([a-z][^' ]* [^']*)'/g)].map(
    ([, why = '']) => why,
  ),
);
const reasons = sources.flatMap((source) =>
  [...source.matchAll(/(?:\breason: |\b(?:backOff|later)\([^'`]*)(?:'([^']+)'|`([^`]+)`)/g)]
    .map(([, plain, template = '']) => plain ?? template)
    .filter((reason) => /^(\$\{open\} )?[a-z].* /.test(reason)),
);
const filled = (reason: string) =>
  reason
    .replace(/\$\{open\}/, '3')
    .replace(/\$\{what\}/, 'alert channel')
    .replace(/\$\{(pause\.)?cause\}/, 'credits');

it.each([...new Set([...reasons, ...decided])])(
  'a merchant reads in Spanish why a job waits: %s',
  (reason) => {
    expect(waitWords(filled(reason))).toMatch(/^(El|La|Se|Sus|Cambió) .*\.$/);
  },
);

it('knows what handlers say', () => {
  expect(new Set([...reasons, ...decided]).size).toBeGreaterThan(15);
  expect(decided.length).toBeGreaterThan(8);
});

it('an account that rests says why', () => {
  expect(waitWords('the account is paused: clock')).toBe(pauseWords.clock.what);
});

it('what our errors say stays, and a defect is named as one', () => {
  expect(waitWords('shop-away: La tienda no responde.')).toBe('shop-away: La tienda no responde.');
  expect(waitWords('TypeError: x is not a function')).toMatch(
    /^Falló por un error del programa.*: TypeError/,
  );
});
