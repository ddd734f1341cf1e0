import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rightsItems } from '../../src/cli/doctor/run.ts';
import { parseConfig } from '../../src/config/load.ts';

test.each([
  [0o600, 'ok'],
  [0o644, 'ok'],
  [0o664, 'ok'],
  [0o602, 'problem'],
])('a config of mode %o, which names code to load: %s', async (mode, state) => {
  const folder = await mkdtemp(join(tmpdir(), 'fp-rights-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'facturapuente.config.json');
  const written = { publicUrl: 'https://a.ec', accounts: {}, issuers: {}, stores: {} };
  await writeFile(file, JSON.stringify(written));
  await chmod(file, mode);
  const [found] = await rightsItems(parseConfig(written, { file, env: {} }));
  expect(found).toMatchObject({ code: 'ledger', state });
});
