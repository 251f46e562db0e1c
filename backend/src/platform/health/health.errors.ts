import { defineErrors } from '../errors/app-error.js';

export const healthErrors = defineErrors({
  METRICS_TOKEN: {
    status: 401,
    en: 'The figures of this installation need its METRICS_TOKEN as a bearer token.',
    tr: 'Bu kurulumun ölçümleri için taşıyıcı belirteç olarak METRICS_TOKEN gerekir.',
  },
});
