/**
 * Who may import whom, as data. A room is a folder under src or adapters,
 * `mappers`, or `src` itself (`index.ts`, what the package publishes). `src/app` is the composition root.
 */
export interface Room {
  /** Rooms whose values and types may be imported. "adapters" means any adapter. */
  own: readonly string[];
  /** Rooms or single files of which only types may be imported. */
  types: readonly string[];
  /** npm packages; null = any (but see `reserved`). */
  packages: readonly string[] | null;
  /** No node:*, clock, environment, network or randomness. */
  pure: boolean;
}

const room = (own: readonly string[], more: Partial<Room> = {}): Room => ({
  own,
  types: [],
  packages: null,
  pure: false,
  ...more,
});
const pure = { pure: true, packages: ['zod', 'decimal.js', 'html-entities'] };
const ground = ['src/domain', 'mappers', 'src/planner', 'src/service', 'src/ledger', 'src/queue', 'src/jobs'];
const doors = [
  ...ground,
  'src/reports',
  'adapters',
  'src/observability',
  'src/web',
  'src/setup',
  'src/assistant',
];
const production = [...doors, 'src/config', 'src/app'];

export const rooms: Readonly<Record<string, Room>> = {
  'src/domain': room([], pure),
  mappers: room(['src/domain'], pure),
  'src/planner': room(['src/domain', 'mappers'], pure),
  adapters: room(['src/domain']),
  'src/protocol': room(['src/domain'], { pure: true, packages: [] }),
  'src/service': room(['src/domain'], { types: ['mappers/body.ts'] }),
  'src/ledger': room(['src/domain']),
  'src/queue': room(['src/domain', 'src/ledger']),
  'src/jobs': room(['src/domain', 'src/planner', 'mappers', 'src/protocol', 'src/service', 'src/ledger']),
  'src/observability': room(['src/domain'], { types: ['src/ledger'] }),
  'src/reports': room(['src/domain', 'src/planner', 'mappers', 'src/service', 'src/ledger', 'src/jobs']),
  'src/assistant': room([...ground, 'src/reports'], {
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/node', 'zod'],
  }),
  'src/web': room([...ground, 'src/reports', 'adapters', 'src/observability', 'src/setup']),
  'src/config': room(['src/domain'], { packages: ['zod', 'cosmiconfig', 'yaml'] }),
  'src/setup': room(['src/domain', 'src/service'], { types: ['src/ledger'] }),
  'sandbox/emulator': room(['src/setup/certificates/signature.ts', 'src/domain/html.ts'], {
    types: production,
  }),
  'sandbox/conformance': room([]),
  'sandbox/shops': room(['src/domain']),
  'sandbox/cli': room([
    'sandbox/emulator',
    'sandbox/conformance',
    'src/cli/spanish.ts',
    'src/domain/json.ts',
  ]),
  'src/cli': room(production),
  'src/app': room([...doors, 'src/config']),
  src: room([...doors, 'src/config', 'src/app']),
};

/** What only these rooms may import, whatever else is allowed: SQL, the queue and each platform's client. */
export const reserved: readonly { specifier: RegExp; room: RegExp }[] = [
  { specifier: /^(kysely|node:sqlite)(\/|$)/, room: /^src\/ledger$/ },
  { specifier: /^pg(\/|$)/, room: /^src\/ledger$/ },
  { specifier: /^(prom-client|@opentelemetry\/.*)$/, room: /^src\/observability$/ },
  { specifier: /^(bullmq|@bull-board)(\/|$)/, room: /^src\/queue$/ },
  { specifier: /^@shopify\//, room: /^adapters\/shopify$/ },
  { specifier: /^@woocommerce\//, room: /^adapters\/woocommerce$/ },
];

/** What a pure room may not reach for, and what to take instead. */
export const impure: readonly { pattern: RegExp; word: string }[] = [
  { pattern: /\bDate\.now\(/, word: 'Date.now() (take a Clock or an instant)' },
  { pattern: /\bnew Date\(\)/, word: 'new Date() (take a Clock or an instant)' },
  { pattern: /\bMath\.random\(/, word: 'Math.random()' },
  { pattern: /\bprocess\./, word: 'process' },
  { pattern: /\bfetch\(/, word: 'fetch()' },
  { pattern: /\b(setTimeout|setInterval|setImmediate)\(/, word: 'timers' },
  { pattern: /\bcrypto\./, word: 'crypto' },
];

/** The names the top level of the repository may hold. */
export const topLevel: readonly string[] = [
  'package.json',
  'tsconfig.json',
  'docker-compose.yml',
  'README.md',
  'src',
  'adapters',
  'mappers',
  'sandbox',
  'test',
  'package-lock.json',
  '.gitignore',
  '.dockerignore',
  'vitest.config.ts',
  'biome.json',
  'Dockerfile',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'AGENTS.md',
  '.editorconfig',
  '.github',
  'LICENSE',
  'docs',
  'bench',
  'chaos',
  '.ci',
];
