import { findCompany } from '../accounts/companies.ts';
import { readLogo } from '../accounts/logo.ts';
import type { Call, Operation, Reply } from '../operation.ts';
import { companyFailures, noCompany, refuseFields, savedCompany, showCompany } from './company-answers.ts';
import { base64Text, megabyte, readUpload, rucOnly } from './upload.ts';

const rules = { file: 'logo_file', base64: 'logo_base64', texts: rucOnly, maxMegabytes: 2 };

/** Uploads the logo that heads a company's RIDE. */
export const logoOperation: Operation = {
  id: 'subir_logo_empresa',
  method: 'post',
  path: '/api/empresa/subirlogo',
  tag: 'Empresas',
  access: 'key',
  words: 'empresa',
  inferred: false,
  summary: 'Uploads the logo of the RIDE (PNG, JPG or JPEG, at most 2 MB), as file or as base64, never both',
  json: rucOnly.extend({
    logo_base64: base64Text(rules.maxMegabytes).describe(
      'Base64 of the image without data-URI prefix, at most 2 MB decoded.',
    ),
  }),
  multipart: { fields: rucOnly, files: ['logo_file'], maxBytes: rules.maxMegabytes * megabyte },
  answers: { 200: savedCompany, ...companyFailures },
  handle: upload,
};

async function upload(call: Call): Promise<Reply> {
  const { world, account } = call;
  const read = await readUpload(call, rules);
  if ('errors' in read) return refuseFields(read.errors);
  const { ruc } = read.texts;
  const company = findCompany(account.companies, ruc);
  if (!company) return noCompany(ruc);
  const logo = await readLogo(read.bytes);
  if ('refused' in logo) return refuseFields({ [read.field]: [logo.refused] });
  company.logo = logo;
  world.touch(account);
  return showCompany(company, `El logo quedó guardado: ${logo.ancho} × ${logo.alto} píxeles.`);
}
