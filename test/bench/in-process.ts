import { type Servers, servers } from '../../bench/servers.ts';
import { isReady, openEnd, type Served, type Starter, until } from '../../bench/starter.ts';
import { type Tasks, tasks } from '../../bench/tasks.ts';
import { openConnector } from '../../src/app/connector.ts';
import { loadConfig } from '../../src/config/load.ts';
import { silentLog } from '../../src/domain/ports.ts';

/** Runs what a part starts in the test's own process: no figure means anything, but every step is taken. */
export function openInProcess(signal: AbortSignal): Starter & { close(): Promise<void> } {
  const end = openEnd();

  function served(url: string, close: () => Promise<void>): Served {
    let running = true;
    const stop = async () => {
      if (running) await close();
      running = false;
    };
    end.defer(stop);
    const cpuMs = () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
    return { url, stop, readyMs: 1, residentMb: () => process.memoryUsage.rss() / 1024 ** 2, cpuMs };
  }

  return {
    ...end,
    signal,
    async server(name, options) {
      signal.throwIfAborted();
      const { url, close } = await servers[name as keyof Servers](options as never);
      return served(url, close);
    },
    task: <Name extends keyof Tasks>(name: Name, options: Parameters<Tasks[Name]>[0]) =>
      tasks[name](options as never) as ReturnType<Tasks[Name]>,
    async product({ file, url }, { role = 'all' } = {}) {
      signal.throwIfAborted();
      const config = await loadConfig({ path: file, cwd: process.cwd(), env: {} });
      const connector = await openConnector({ config, role, log: silentLog, host: '127.0.0.1' });
      await until({ signal }, () => isReady(`${url}/readyz`));
      return served(url, () => connector.close(1_000));
    },
  };
}
