import type { Group } from './entry.ts';

/** What an assistant is refused; it reads the same sentences. */
export const assistant: Group = {
  title: 'Asistente (MCP)',
  seen: 'Como respuesta de una herramienta, para el asistente y quien habla con él.',
  entries: {
    'tool-unknown': ['No existe una herramienta con ese nombre.', 'Use una de las que se ofrecen.'],
    'tool-input': ['La herramienta no entiende lo que recibió.', 'Corrija los campos que se nombran.'],
    'store-unknown': [
      'La tienda del pedido ya no está en la configuración.',
      'Añádala otra vez, o use otro pedido.',
    ],
    'order-unread': [
      'La tienda no tiene ese pedido, o no da acceso a su API.',
      'Revise el número, o complete la conexión.',
    ],
    'plan-unknown': [
      'Nadie mostró un plan con ese id.',
      'Pida primero el plan, muéstrelo, y ejecute después con su id.',
    ],
    'plan-used': ['El plan ya se ejecutó, o se está ejecutando.', 'Pida otro.'],
    'plan-expired': ['El plan venció.', 'Pida otro y muéstrelo.'],
    'plan-changed': ['Lo que se mostró cambió desde entonces; no se hizo nada.', 'Pida el plan otra vez.'],
    'plan-production': [
      'El asistente no puede escribir en producción.',
      'Hágalo en el panel o la terminal, o permítalo con mcp.allowProduction.',
    ],
  },
};
