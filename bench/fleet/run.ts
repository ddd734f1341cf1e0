import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedOrEnd } from '../tool.ts';
import { figuresOf } from './figures.ts';
import { readOptions } from './options.ts';
import { picturesOf } from './pictures.ts';
import { play } from './play.ts';
import { rulesOf } from './rules.ts';
import { toText } from './table.ts';

/**
 * `npm run fleet -- --shops N --keys N …`: the day of a fleet on virtual time, through the scheduler, rate limits and
 * workers of the product. Ends with 1 when a rule is broken. See docs/scaling.md.
 */
const { plan, json, pictures } = askedOrEnd(readOptions);
const played = await play(plan, (text) => process.stderr.write(`${text}\n`));
const figures = figuresOf(played);
const rules = rulesOf(figures);
if (pictures !== null) {
  mkdirSync(pictures, { recursive: true });
  for (const [name, svg] of picturesOf(played)) writeFileSync(join(pictures, name), svg);
}
process.stdout.write(json ? `${JSON.stringify({ figures, rules }, null, 2)}\n` : toText(figures, rules));
process.exit(rules.every(({ kept }) => kept) ? 0 : 1);
