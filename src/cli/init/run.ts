import { randomBytes } from 'node:crypto';
import { access, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { openSettings } from '../../app/settings.ts';
import { disguiseReferences, uncoverReferences } from '../../config/env.ts';
import { parseConfig } from '../../config/load.ts';
import { ConfigError } from '../../domain/errors.ts';
import { rimpePopularCaveats } from '../../setup/rimpe.ts';
import { askAll, type Terminal } from './ask.ts';
import { type Answers, flagOf, problemWith, questions } from './questions.ts';
import { configText, envTexts } from './write.ts';

const file = 'facturapuente.config.yaml';
const otherNames = ['yml', 'json', 'ts'].map((ending) => `facturapuente.config.${ending}`);

export interface InitOptions {
  folder: string;
  /** By question id. */
  given: Answers;
  /** Takes the defaults for what was not given, and asks nothing. */
  yes: boolean;
  /** Writes over a config that is there. */
  force: boolean;
  /** Null where nobody can be asked. */
  terminal: Terminal | null;
}

export interface Initialized {
  /** Names of files. */
  written: string[];
  /** Spanish sentences. */
  caveats: string[];
}

/**
 * Writes `facturapuente.config.yaml`, `.env.example` and, where there is none, `.env`; answers what was written and what to know of it. Throws
 * ConfigError: a config is there, an answer is missing or wrong.
 */
export async function init({ folder, given, yes, force, terminal }: InitOptions): Promise<Initialized> {
  if (!force) await refuseExisting(folder);
  refuseWrong(given);
  if (!yes && terminal === null)
    throw new ConfigError(
      'init-no-terminal',
      'No hay una terminal en la que preguntar: dé las respuestas como opciones y agregue --yes.',
      'init has no terminal to ask in; give the answers as flags with --yes.',
    );
  const { answers, apiKey } =
    yes || terminal === null ? { answers: withDefaults(given), apiKey: '' } : await askAll(given, terminal);
  const text = configText(answers);
  await prove(text, join(folder, file));
  const { example, own } = envTexts(answers, apiKey);
  await put(join(folder, file), text);
  await put(join(folder, '.env.example'), example);
  const written = [file, '.env.example'];
  // What somebody keeps there is nobody's to change.
  if (await writeFile(join(folder, '.env'), own, { mode: 0o600, flag: 'wx' }).then(yesWritten, ifThere))
    written.push('.env');
  return { written, caveats: caveatsOf(answers) };
}

const caveatsOf = ({ regimen, ruc = '' }: Answers): string[] =>
  regimen === 'rimpe-popular' ? rimpePopularCaveats(ruc) : [];

const yesWritten = () => true;
function ifThere(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'EEXIST') return false;
  throw error;
}

async function refuseExisting(folder: string): Promise<void> {
  for (const name of [file, ...otherNames]) {
    const there = await access(join(folder, name)).then(yesWritten, () => false);
    if (there)
      throw new ConfigError(
        'init-exists',
        `Ya hay una configuración, ${name}, y no se tocó: cámbiela a mano, o use --force para escribir otra.`,
        `${join(folder, name)} exists; use --force to write another one.`,
      );
  }
}

function refuseWrong(given: Answers): void {
  const wrong = questions.flatMap((question) => {
    const value = given[question.id];
    const problem = value === undefined ? undefined : problemWith(question, value);
    return problem === undefined ? [] : [`  - ${flagOf(question.id)}: ${problem}`];
  });
  if (wrong.length === 0) return;
  const list = wrong.join('\n');
  throw new ConfigError('init-answer', `Corrija estas respuestas:\n${list}`, `Wrong answers:\n${list}`);
}

function withDefaults(given: Answers): Answers {
  const answers: Record<string, string> = { ...given };
  const missing: string[] = [];
  for (const { id, initial, when, hint } of questions) {
    if (answers[id] !== undefined || when?.(answers) === false) continue;
    const value = initial?.(answers);
    if (value === undefined) missing.push(`  - ${flagOf(id)} (${hint})`);
    else answers[id] = value;
  }
  if (missing.length === 0) return answers;
  const list = missing.join('\n');
  throw new ConfigError('init-missing', `Faltan estas respuestas:\n${list}`, `Missing answers:\n${list}`);
}

/** What is written must be what `start` takes. */
async function prove(text: string, path: string): Promise<void> {
  const value = parse(disguiseReferences(text), (_key, one) => uncoverReferences(one));
  const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, sample(name)]);
  await openSettings(parseConfig(value, { file: path, env: Object.fromEntries(names) }));
}

/** Stands for a secret nobody has written yet. */
const sample = (name: string) =>
  `${name === 'WOO_CONSUMER_KEY' ? 'ck_' : name === 'WOO_CONSUMER_SECRET' ? 'cs_' : ''}${randomBytes(20).toString('hex')}`;

/** Whole or not at all. */
async function put(path: string, text: string): Promise<void> {
  const draft = join(path, '..', `.${basename(path)}.${process.pid}`);
  await writeFile(draft, text, { flag: 'wx' });
  await rename(draft, path);
}
