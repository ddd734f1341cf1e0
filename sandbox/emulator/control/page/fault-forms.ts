/** One field beside a fault's button. */
export interface FaultField {
  name: string;
  label: string;
  value: string;
  /** Fixed answers; without them the field takes a text, or a number of the kind `value` is. */
  choices?: readonly (readonly [value: string, name: string])[];
  optional?: boolean;
}

export interface FaultForm {
  kind: string;
  title: string;
  says: string;
  fields: readonly FaultField[];
  /** What it strikes: an answer may be narrowed to one operation. */
  strikes: 'answer' | 'event' | 'document';
}

const times: FaultField = { name: 'times', label: 'Veces', value: '1' };
const wait = (value: string): FaultField => ({ name: 'ms', label: 'Milisegundos', value });
const status = (value: string): FaultField => ({ name: 'status', label: 'Estado HTTP', value });

const answer = (kind: string, title: string, says: string, ...fields: FaultField[]): FaultForm => ({
  ...{ kind, title, says, strikes: 'answer' },
  fields: [...fields, times],
});
const event = (kind: string, title: string, says: string, ...fields: FaultField[]): FaultForm => ({
  ...{ kind, title, says, strikes: 'event' },
  fields: [...fields, times],
});

/** How each fault is asked for on the page, in the order a client's developer tends to need them. */
export const faultForms: readonly FaultForm[] = [
  answer('delayAnswerMs', 'Respuesta tardía', 'Almacena y responde después de esta espera.', wait('5000')),
  answer('dropAnswer', 'Conexión cortada tras almacenar', 'El comprobante existe, la respuesta no llega.'),
  answer('cutBeforeStoring', 'Conexión cortada antes de almacenar', 'Ni comprobante ni respuesta.'),
  answer(
    'status500AfterStoring',
    '500 después de almacenar',
    'El comprobante existe aunque la respuesta diga que falló.',
  ),
  answer(
    'failBeforeStoring',
    'Error antes de almacenar',
    'Responde este estado con claveacceso y no almacena nada.',
    status('500'),
  ),
  answer('tooManyRequests', '429', 'Como si el minuto ya estuviera gastado, con Retry-After.', {
    ...{ name: 'retryAfterSeconds', label: 'Retry-After (s)', value: '5' },
  }),
  answer('htmlAnswer', 'Página HTML', 'Almacena y responde una página en vez de JSON.', status('502')),
  answer('brokenJson', 'JSON cortado', 'Almacena y responde solo la primera mitad del JSON.'),
  answer('creadoAsString', 'creado como texto', 'Escribe "true" o "false" entre comillas al emitir.'),
  answer('spoilXml', 'XML con otro valor', 'El XML autorizado dice otro importe total.'),
  event('dropWebhooks', 'Webhook perdido', 'El próximo evento no se envía nunca.'),
  event(
    'duplicateWebhooks',
    'Webhook duplicado',
    'El próximo evento llega dos veces con el mismo X-Service-Delivery.',
  ),
  event('delayWebhooksMs', 'Webhook tardío', 'El próximo evento sale después de esta espera.', wait('60000')),
  event('reorderWebhooks', 'Webhooks desordenados', 'El próximo evento espera a que salga otro antes.'),
  event('badSignatureV1', 'Firma V1 falsa', 'X-Service-Signature no corresponde; la V2 sí.'),
  event('badSignatureV2', 'Firma V2 falsa', 'X-Service-Signature-V2 no corresponde; la primera sí.'),
  event('staleTimestamp', 'Firma vieja', 'Bien firmado, pero con hora de hace diez minutos.'),
  {
    kind: 'outcome',
    title: 'Decisión del SRI',
    says: 'Cómo terminan los comprobantes de un comprador, o de todos, hasta que se quite.',
    strikes: 'document',
    fields: [
      { name: 'identificacion', label: 'Identificación', value: '', optional: true },
      {
        ...{ name: 'resultado', label: 'Resultado', value: 'error' },
        choices: [
          ['error', 'Error'],
          ['en_proceso', 'En proceso'],
          ['autorizado', 'Autorizado'],
        ],
      },
      { name: 'codigo', label: 'Código del SRI', value: '35', optional: true },
    ],
  },
  {
    kind: 'chaos',
    title: 'Al azar',
    says: 'Fallas con esta probabilidad hasta que se quite; la misma semilla da las mismas.',
    strikes: 'document',
    fields: [
      {
        ...{ name: 'kinds', label: 'Qué', value: 'answer' },
        choices: [
          ['answer', 'Respuestas'],
          ['event', 'Webhooks'],
          ['all', 'Todo'],
        ],
      },
      { name: 'probability', label: 'Probabilidad', value: '0.2' },
      { name: 'seed', label: 'Semilla', value: '1' },
    ],
  },
];

export const titleOf = (kind: string) => faultForms.find((one) => one.kind === kind)?.title ?? kind;
