#!/usr/bin/env node
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Every Node since 18 must run this file, so nothing is imported before the version is checked (node:sqlite of 24.15). */
const needed = [24, 15] as const;

function recentEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

function installedNode(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve('node/package.json');
    const { version } = require(manifest) as { version: string };
    return recentEnough(version) ? join(dirname(manifest), 'bin', 'node') : undefined;
  } catch {
    return undefined;
  }
}

function runAgain(node: string): void {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  child.on('error', refuse);
  child.on('exit', (code, signal) => {
    process.off('SIGINT', pass).off('SIGTERM', pass);
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
}

function refuse(): void {
  const least = needed.join('.');
  process.stderr.write(
    `facturapuente necesita Node.js ${least} o más nuevo y esta es la versión ${process.versions.node}: actualice Node.js.\n` +
      `facturapuente needs Node.js ${least} or newer and this is ${process.versions.node}: please update Node.js.\n`,
  );
  process.exitCode = 1;
}

if (recentEnough(process.versions.node)) {
  // Compiling is half of the time to start.
  module.enableCompileCache?.();
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv);
} else {
  const node = installedNode();
  if (node === undefined) refuse();
  else runAgain(node);
}
