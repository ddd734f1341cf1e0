/** One field beside a fault's button. */
export interface FaultField {
  name: string;
  label: string;
  value: string;
  /** Fixed answers; without them the field is a text, or a number when `value` is one. */
  choices?: readonly (readonly [value: string, name: string])[];
  optional?: boolean;
}

export interface FaultForm {
  kind: string;
  title: string;
  says: string;
  fields: readonly FaultField[];
}

const times: FaultField = { name: 'times', label: 'Veces', value: '1' };

/** How each fault is asked for on the page, in the order a client's developer tends to need them. */
export const faultForms: readonly FaultForm[] = [
  {
    kind: 'delayAnswerMs',
    title: 'Respuesta tardía',
    says: 'Almacena el comprobante y responde después de esta espera.',
    fields: [{ name: 'ms', label: 'Milisegundos', value: '5000' }, times],
  },
  {
    kind: 'dropAnswer',
    title: 'Conexión cortada',
    says: 'Almacena el comprobante y corta la conexión sin responder.',
    fields: [times],
  },
  {
    kind: 'status500AfterStoring',
    title: '500 después de almacenar',
    says: 'El comprobante existe aunque la respuesta diga que falló.',
    fields: [times],
  },
  {
    kind: 'failBeforeStoring',
    title: 'Error antes de almacenar',
    says: 'Responde este estado con claveacceso y no almacena nada.',
    fields: [{ name: 'status', label: 'Estado HTTP', value: '500' }, times],
  },
  {
    kind: 'htmlAnswer',
    title: 'Página HTML',
    says: 'Almacena el comprobante y responde 502 con una página en vez de JSON.',
    fields: [times],
  },
  {
    kind: 'creadoAsString',
    title: 'creado como texto',
    says: 'Escribe "true" o "false" entre comillas en la respuesta de emisión.',
    fields: [times],
  },
  {
    kind: 'dropWebhooks',
    title: 'Webhook perdido',
    says: 'El próximo evento no se envía nunca.',
    fields: [times],
  },
  {
    kind: 'duplicateWebhooks',
    title: 'Webhook duplicado',
    says: 'El próximo evento llega dos veces, con el mismo X-Service-Delivery.',
    fields: [times],
  },
  {
    kind: 'outcome',
    title: 'Decisión del SRI',
    says: 'Qué pasa con los comprobantes de un comprador, hasta que se quite.',
    fields: [
      { name: 'identificacion', label: 'Identificación del comprador', value: '' },
      {
        name: 'resultado',
        label: 'Resultado',
        value: 'error',
        choices: [
          ['error', 'Error'],
          ['en_proceso', 'En proceso'],
          ['autorizado', 'Autorizado'],
        ],
      },
      { name: 'codigo', label: 'Código', value: '35', optional: true },
    ],
  },
];
