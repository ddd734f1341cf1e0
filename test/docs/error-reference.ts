import type { ErrorCause } from '../../src/domain/document.ts';
import { authorityCauses } from '../../src/jobs/sentences.ts';
import { authority, authorityWarnings } from '../../src/messages/authority.ts';
import { catalogue } from '../../src/messages/es.ts';
import { type Group, say } from '../../src/messages/message.ts';
import { anchor, madeFrom, table } from './markdown.ts';

const intro = `# Errors and their resolutions

Every code the product shows, in Spanish like the sentences it comes with: those name the order, the amounts and the
setting of the case, so read them first. \`npx facturapuente error CODE\` prints the same in a terminal.

Codes are kept between versions; sentences may change.`;

const causes: Readonly<Record<Exclude<ErrorCause, 'document'>, string>> = {
  issuer:
    'Corregida la causa, se vuelve a procesar solo; después de cinco veces en un día queda rechazado y hace falta retry.',
  authority: 'Se vuelve a procesar solo, hasta cinco veces en un día.',
  registered: 'El SRI ya lo tiene: se averigua si está autorizado.',
  'number-taken': 'El número ya está autorizado con otra clave: se busca; si nadie la dice, adopt.',
  'in-process': 'Se espera.',
  date: 'Sale otra vez con la fecha de hoy, con su mismo número.',
};

const service = `## El servicio de comprobantes

| Respuesta | Qué se hace |
|---|---|
| 200 o 400 con \`creado: false\` | Rechazado con sus palabras (\`refused\`); el número se usa otra vez después de corregir |
| 401 | La cuenta se pausa (\`account-api-key\`) y sigue sola con la clave correcta |
| 409 con \`claveacceso\` | Es el nuestro: se adopta. Si su XML es de otro documento, la serie se detiene (\`series-stopped\`) |
| 429 | Se espera; no cuenta como intento |
| 5xx, corte, página en vez de datos | Se perdió la respuesta (\`answer-lost\`): se consulta la clave, dada o calculada, o se repite el mismo número |
| \`creado: true\` con una clave que no se esperaba | \`key-unexpected\`: se consulta antes de darla por buena; si es de otro número, se repite el mismo |
| Sin créditos o sin datos de proveedor, en producción | La cuenta se pausa (\`account-credits\`, \`account-provider-data\`) |

Por qué ninguna de ellas produce dos facturas: [exactly-once.md](exactly-once.md).`;

/** docs/errors.md. */
export function errorReference(): string {
  const contents = catalogue.map(({ title }) => `- [${title}](#${anchor(title)})`);
  contents.push('- [El servicio de comprobantes](#el-servicio-de-comprobantes)', '- [El SRI](#el-sri)');
  const parts = [
    madeFrom('`src/messages`'),
    intro,
    contents.join('\n'),
    ...catalogue.map(section),
    service,
    sri(),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section({ title, seen, entries }: Group): string {
  const rows = Object.entries(entries).map(([code, [means, fix]]) => [`\`${code}\``, say(means), say(fix)]);
  return `## ${title}\n\n${seen}\n\n${table(['Código', 'Significa', 'Qué hacer'], rows)}`;
}

function sri(): string {
  const rows = Object.entries(authority).map(([code, [means, fix]]) => {
    const cause = authorityCauses[code];
    return [code, means, fix, cause ? causes[cause] : authorityWarnings.includes(code) ? warned : refused];
  });
  return [
    '## El SRI',
    'Códigos que no están en esta tabla son del documento mismo: queda rechazado con las palabras del SRI (`not-authorised`); corregido el pedido o la configuración, `retry`.',
    table(['Código', 'Significa', 'Qué hacer', 'Qué pasa'], rows),
  ].join('\n\n');
}

const refused = 'Queda rechazado; corregida la causa, `retry`.';
const warned = 'Nada: el documento está autorizado.';
