import { agrees, type Check, differs, unseen } from '../check.ts';

/** Holds the answers of the whole run against one rule, so it comes near the end. */
export const noticeChecks: readonly Check[] = [
  {
    id: 'aviso-en-cada-respuesta',
    section: 'Datos de proveedor',
    row: 'Key rules, aviso_proveedor_sri; Errors, 8',
    title: 'aviso_proveedor_sri viene en todas las respuestas, o en ninguna',
    run({ service }) {
      const { answers, withNotice } = service.notices();
      if (withNotice === 0) return agrees('los datos de proveedor están aprobados');
      return withNotice === answers ? agrees() : differs('en todas', `en ${withNotice} de ${answers}`);
    },
  },
  {
    id: 'supuesto-aviso',
    section: 'Datos de proveedor',
    row: 'Key rules, aviso_proveedor_sri',
    inferred: 'A8',
    title: 'aviso_proveedor_sri es un texto',
    run({ service }) {
      const { withNotice, type } = service.notices();
      if (withNotice === 0) return unseen('Ninguna respuesta lo trae.');
      return type === 'string' ? agrees(type) : differs('string', type);
    },
  },
];
