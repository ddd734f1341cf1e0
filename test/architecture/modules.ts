/**
 * Who may import whom, as data. A module is a folder under src or adapters,
 * `mappers`, or `src` itself (`index.ts`, what the package publishes). `src/app` is the composition root.
 */
export interface Module {
  /** Modules whose values and types may be imported. "adapters" means any adapter. */
  own: readonly string[];
  /** Modules or single files of which only types may be imported. */
  types: readonly string[];
  /** npm packages; null = any (but see `reserved`). */
  packages: readonly string[] | null;
  /** No node:*, clock, environment, network or randomness. */
  pure: boolean;
}

const module = (own: readonly string[], more: Partial<Module> = {}): Module => ({
  own,
  types: [],
  packages: null,
  pure: false,
  ...more,
});
const pure = { pure: true, packages: ['zod', 'decimal.js', 'html-entities'] };
const ground = [
  'src/messages',
  'src/domain',
  'mappers',
  'src/planner',
  'src/service',
  'src/ledger',
  'src/queue',
  'src/jobs',
];
const endpoints = [
  ...ground,
  'src/reports',
  'adapters',
  'src/observability',
  'src/http',
  'src/panel',
  'src/setup',
  'src/operations',
  'src/assistant',
];
const production = [...endpoints, 'src/config', 'src/app'];

export const modules: Readonly<Record<string, Module>> = {
  'src/messages': module([], pure),
  'src/domain': module(['src/messages'], pure),
  mappers: module(['src/messages', 'src/domain'], pure),
  'src/planner': module(['src/messages', 'src/domain', 'mappers'], pure),
  adapters: module(['src/messages', 'src/domain']),
  'src/protocol': module(['src/messages', 'src/domain'], { pure: true, packages: [] }),
  'src/service': module(['src/messages', 'src/domain'], { types: ['mappers/body.ts'] }),
  'src/ledger': module(['src/messages', 'src/domain']),
  'src/queue': module(['src/messages', 'src/domain', 'src/ledger']),
  'src/jobs': module([
    'src/messages',
    'src/domain',
    'src/planner',
    'mappers',
    'src/protocol',
    'src/service',
    'src/ledger',
  ]),
  'src/observability': module(['src/messages', 'src/domain'], { types: ['src/ledger'] }),
  'src/reports': module([
    'src/messages',
    'src/domain',
    'src/planner',
    'mappers',
    'src/service',
    'src/ledger',
    'src/jobs',
  ]),
  'src/operations': module([...ground, 'src/reports'], { packages: ['zod', 'cli-table3', 'picocolors'] }),
  'src/assistant': module(['src/messages', 'src/domain', 'src/operations'], {
    types: ['src/jobs'],
    packages: ['@modelcontextprotocol/server', 'zod'],
  }),
  'src/http': module([
    'src/messages',
    'src/domain',
    'src/planner',
    'src/service',
    'src/ledger',
    'src/queue',
    'src/jobs',
    'src/observability',
  ]),
  'src/panel': module([...ground, 'src/http', 'src/reports', 'src/operations']),
  'src/config': module(['src/messages', 'src/domain'], { packages: ['zod', 'yaml'] }),
  'src/setup': module(['src/messages', 'src/domain', 'src/service'], { types: ['src/ledger'] }),
  'sandbox/emulator': module(['src/setup/certificates/signature.ts', 'src/domain/text.ts'], {
    types: production,
  }),
  'sandbox/conformance': module([]),
  'sandbox/shops': module(['src/messages', 'src/domain']),
  'sandbox/demo': module(['sandbox/emulator', 'sandbox/shops', 'src/domain']),
  'sandbox/cli': module([
    'sandbox/emulator',
    'sandbox/shops',
    'sandbox/conformance',
    'src/cli/spanish.ts',
    'src/domain/loose.ts',
  ]),
  'src/cli': module(production),
  'src/app': module([...endpoints, 'src/config']),
  src: module([...endpoints, 'src/config', 'src/app']),
};

/** What only these modules may import, whatever else is allowed: SQL, the queue and each platform's client. */
export const reserved: readonly { specifier: RegExp; module: RegExp }[] = [
  { specifier: /^(kysely|node:sqlite)(\/|$)/, module: /^src\/ledger$/ },
  { specifier: /^pg(\/|$)/, module: /^src\/ledger$/ },
  { specifier: /^(prom-client|@opentelemetry\/.*)$/, module: /^src\/observability$/ },
  { specifier: /^(bullmq|@bull-board)(\/|$)/, module: /^src\/queue$/ },
  { specifier: /^@shopify\//, module: /^adapters\/shopify$/ },
  { specifier: /^@woocommerce\//, module: /^adapters\/woocommerce$/ },
];

/** What a pure module may not reach for, and what to take instead. */
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
  'extras',
  '.ci',
];
