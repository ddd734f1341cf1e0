import { type Servers, servers } from './servers.ts';

/** `child.ts <server or task> <options as JSON>`: sends its address or answer to the bench, and ends with the bench. */
const [name = '', options = 'null'] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
const read = JSON.parse(options);
if (name in servers) {
  const { url } = await servers[name as keyof Servers](read as never);
  process.send?.(url);
} else {
  const { tasks } = await import('./tasks.ts');
  const answer = await (tasks as Record<string, (options: never) => Promise<unknown>>)[name]?.(read as never);
  process.send?.(answer, () => process.exit());
}
