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
const ground = [
  'src/core',
  'mappers',
  'src/planning',
  'src/service',
  'src/ledger',
  'src/dispatch',
  'src/steps',
];
const desks = ['src/accounting', 'src/rehearsal'];
const doors = [...ground, ...desks, 'adapters', 'src/observe', 'src/http', 'src/setup', 'src/mcp'];
const production = [
  ...doors,
  'src/files',
  'src/notify',
  'src/config',
  'src/certificates',
  'src/charts',
  'src/app',
];

export const rooms: Readonly<Record<string, Room>> = {
  'src/core': room([], pure),
  mappers: room(['src/core'], pure),
  'src/planning': room(['src/core', 'mappers'], pure),
  adapters: room(['src/core']),
  'src/protocol': room(['src/core'], { pure: true, packages: [] }),
  'src/service': room(['src/core'], { types: ['mappers/body.ts'] }),
  'src/files': room(['src/core'], { packages: [] }),
  'src/ledger': room(['src/core']),
  'src/dispatch': room(['src/core', 'src/ledger']),
  'src/steps': room(['src/core', 'src/planning', 'mappers', 'src/protocol', 'src/service', 'src/ledger']),
  'src/observe': room(['src/core'], { types: ['src/ledger'] }),
  'src/charts': room(['src/core'], { pure: true, packages: ['d3-array', 'd3-scale', 'd3-shape'] }),
  'src/accounting': room([
    'src/core',
    'src/planning',
    'mappers',
    'src/service',
    'src/ledger',
    'src/steps',
    'src/charts',
    'src/files',
  ]),
  'src/rehearsal': room(['src/core', 'src/planning', 'mappers', 'src/charts'], { types: ['src/ledger'] }),
  'src/mcp': room([...ground, ...desks], {
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/node', 'zod'],
  }),
  'src/http': room([
    ...ground,
    ...desks,
    'adapters',
    'src/charts',
    'src/observe',
    'src/setup',
    'src/catalogue',
  ]),
  'src/notify': room(['src/core'], { packages: ['nodemailer', 'standardwebhooks', 'undici'] }),
  'src/config': room(['src/core'], { packages: ['zod', 'cosmiconfig', 'yaml'] }),
  'src/testing': room(['src/core'], { types: ['src/ledger', 'src/dispatch'] }),
  'src/certificates': room(['src/core'], { packages: ['node-forge'] }),
  'src/setup': room(['src/core', 'src/service', 'src/certificates'], { types: ['src/ledger'] }),
  'src/sandbox': room(['src/certificates', 'src/core/html.ts'], { types: production }),
  'src/conformance': room([]),
  'src/catalogue': room([], pure),
  'src/cli': room([...production, 'src/catalogue', 'src/sandbox', 'src/conformance', 'src/testing']),
  'src/app': room([...doors, 'src/notify', 'src/config']),
  src: room([...doors, 'src/config', 'src/app']),
};

/** What only these rooms may import, whatever else is allowed: SQL, the queue and each platform's client. */
export const reserved: readonly { specifier: RegExp; room: RegExp }[] = [
  { specifier: /^(kysely|node:sqlite)(\/|$)/, room: /^src\/ledger$/ },
  { specifier: /^pg(\/|$)/, room: /^src\/ledger$/ },
  { specifier: /^(prom-client|@opentelemetry\/.*)$/, room: /^src\/observe$/ },
  { specifier: /^(bullmq|@bull-board)(\/|$)/, room: /^src\/dispatch$/ },
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
  'test',
  'package-lock.json',
  '.gitignore',
  '.dockerignore',
  'vitest.config.ts',
  'biome.json',
  'Dockerfile',
  'CHANGELOG.md',
  'LICENSE',
  'docs',
  'bench',
  'chaos',
  '.ci',
];
