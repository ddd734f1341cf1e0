import type { Operation } from '../operation.ts';
import { allOperations } from '../operations/all.ts';
import type { World } from '../world.ts';
import { openComponents } from './components.ts';
import { describeEvents } from './events.ts';
import { describePaths } from './paths.ts';

const tags: Readonly<Record<Operation['tag'], string>> = {
  Empresas: 'The issuers of the account, their electronic signatures and logos.',
  Emisión: 'Electronic documents: emitted at once, authorised later.',
  Comprobantes: 'State, authorised XML and RIDE of a document, and sending it again.',
  Procesamiento: 'The historic way of sending a document again.',
  Webhook: 'Where final states are sent.',
  Créditos: 'The wallets of the account.',
  Consultas: 'The tax authority’s registry and the civil registry.',
  Identidad: 'Identity verifications (private beta).',
  Público: 'Without an API key.',
};

const about =
  'An emulator of the electronic tax document service: nothing it emits reaches the tax authority. ' +
  'Operations with `x-inferred: true` are not shown by the specification of the service; their answers ' +
  'carry the header `X-Sandbox-Inferred`. Always check `creado`, `respuesta` or `success` beside the status.';

/** The OpenAPI 3.1 description of this sandbox, made from its operations. */
export function describeSandbox(world: Pick<World, 'settings' | 'baseUrl'>): Record<string, unknown> {
  const components = openComponents();
  const operations = allOperations(world);
  const paths = describePaths(operations, components);
  const webhooks = describeEvents(components);
  const used = new Set(operations.map(({ tag }) => tag));
  return {
    openapi: '3.1.1',
    info: { title: 'Servicio de comprobantes de prueba', version: '1.0.0', description: about },
    servers: [{ url: world.baseUrl }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name as Operation['tag']))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-KEY',
          description: 'The API key of the account.',
        },
      },
      headers: {
        Inferred: {
          description: 'Sent where the specification does not show this answer.',
          schema: { const: 'true' },
        },
        RetryAfter: { description: 'Seconds to wait.', schema: { type: 'string', pattern: '^\\d+$' } },
      },
      schemas: components.schemas(),
    },
  };
}
