import { plural } from './visit.ts';

export const factorPaths = { code: '/codigo', own: '/segundo-paso', codes: '/segundo-paso/codigos' } as const;

export const factorWords = {
  code: {
    title: 'Escriba su código',
    lead: 'Abra la aplicación autenticadora de su teléfono y escriba el código que muestra para facturapuente.',
    label: 'Código de seis dígitos',
    submit: 'Entrar',
    recover: '¿No tiene su teléfono?',
    recoverHint:
      'Escriba uno de los códigos de recuperación que guardó al activar la verificación. Cada uno sirve una sola vez.',
    recoverLabel: 'Código de recuperación',
    lost: 'Si tampoco los tiene, pida a quien administra facturapuente que restablezca su verificación en dos pasos.',
    other: 'Entrar con otro usuario',
    wrong: 'El código no es correcto o ya se usó. Espere el siguiente y escríbalo.',
    tooMany:
      'Hubo demasiados códigos incorrectos. Espere al menos quince minutos antes de volver a intentarlo.',
  },
  enrol: {
    title: 'Active la verificación en dos pasos',
    lead: 'Para entrar hará falta su contraseña y, además, un código de su teléfono. Así, quien conozca solo su contraseña no puede entrar.',
    install:
      'Instale en su teléfono una aplicación autenticadora, por ejemplo Google Authenticator, Microsoft Authenticator o Aegis.',
    scan: 'Escanee esta imagen con la aplicación.',
    picture: 'Código QR para la aplicación autenticadora',
    open: 'Abrir en la aplicación de este teléfono',
    type: 'Si no puede escanearla, escriba esta clave en la aplicación:',
    copy: 'Copiar la clave',
    confirm: 'Escriba el código de seis dígitos que muestra la aplicación.',
    submit: 'Activar',
    wrong:
      'El código no coincide. Revise que la hora del teléfono sea la correcta y escriba el código que muestra ahora.',
  },
  codes: {
    title: 'Guarde sus códigos de recuperación',
    lead: 'Sirven para entrar cuando no tenga su teléfono; cada uno, una sola vez. Imprímalos o guárdelos donde guarda sus contraseñas: no se vuelven a mostrar.',
    copy: 'Copiar los códigos',
    go: 'Ya los guardé: continuar',
  },
  own: {
    nav: 'Seguridad',
    title: 'Verificación en dos pasos',
    on: 'Está activa desde el',
    left: (n: number) =>
      `${n === 1 ? 'Le queda' : 'Le quedan'} ${plural(n, 'código', 'códigos')} de recuperación.`,
    renew: 'Nuevos códigos de recuperación',
    renewHint: 'Los anteriores dejan de servir. Confirme con el código que muestra ahora su aplicación.',
    submit: 'Generar códigos nuevos',
    off: 'La configuración no la usa (panel.secondFactor: off): para entrar basta la contraseña.',
  },
  copied: 'Copiado.',
};
