import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A known vulnerability that is accepted for a while, and why. */
export interface Exception {
  package: string;
  /** As npm names it: the address of the advisory. */
  advisory: string;
  reason: string;
  /** The last day it is accepted (YYYY-MM-DD); then somebody looks again. */
  until: string;
}

export interface Judged {
  /** False where nobody could be asked: nothing is known then, good or bad. */
  asked: boolean;
  findings: string[];
}

interface Advisory {
  url?: string;
  title?: string;
  severity?: string;
}
interface Report {
  vulnerabilities?: Record<string, { via: readonly (string | Advisory)[] }>;
}

/** What `npm audit --json` found that no exception of today covers; an exception that is no longer needed is one too. */
export function judge(output: string, exceptions: readonly Exception[], today: string): Judged {
  const report = readReport(output);
  if (!report?.vulnerabilities) return { asked: false, findings: [] };
  const known = Object.entries(report.vulnerabilities).flatMap(([name, { via }]) =>
    // A text names another package of the list, which has the advisory itself.
    via.flatMap((one) => (typeof one === 'string' ? [] : [{ name, url: one.url ?? '', one }])),
  );
  const covers = (exception: Exception, { name, url }: { name: string; url: string }) =>
    exception.package === name && exception.advisory === url;
  const open = known.filter((found) => !exceptions.some((one) => covers(one, found) && one.until >= today));
  const idle = exceptions.filter((one) => !known.some((found) => covers(one, found)));
  return {
    asked: true,
    findings: [
      ...open.map(
        ({ name, url, one }) => `${name}: ${one.title ?? 'vulnerable'} (${one.severity ?? '?'}) ${url}`,
      ),
      ...idle.map(
        ({ package: name, advisory }) => `${name}: the exception for ${advisory} is no longer needed`,
      ),
    ],
  };
}

function readReport(output: string): Report | null {
  try {
    return JSON.parse(output) as Report;
  } catch {
    return null;
  }
}

/** Ends with 1 where something was found, and with 2 where nobody could be asked. */
function main(): void {
  const file = join(import.meta.dirname, 'audit-exceptions.json');
  const exceptions = JSON.parse(readFileSync(file, 'utf8')) as Exception[];
  const today = new Date().toISOString().slice(0, 10);
  const limits = { encoding: 'utf8', timeout: 60_000, maxBuffer: 64 * 1024 * 1024 } as const;
  const { stdout } = spawnSync('npm', ['audit', '--json'], limits);
  const { asked, findings } = judge(stdout ?? '', exceptions, today);
  if (!asked)
    process.stdout.write('The registry answered no audit: nothing was checked for known vulnerabilities.\n');
  else if (findings.length === 0) process.stdout.write('No known vulnerability in any dependency.\n');
  else process.stdout.write(`${findings.join('\n')}\n`);
  process.exitCode = asked ? Math.min(findings.length, 1) : 2;
}

if (import.meta.main) main();
