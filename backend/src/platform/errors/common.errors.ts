import { defineErrors, type AppError } from './app-error.js';
import { waitSentence } from './until-sentence.js';

/** Errors that belong to no module. */
export const commonErrors = defineErrors({
  VALIDATION_FAILED: { status: 400, en: 'Some fields need your attention.', tr: 'Bazı alanları gözden geçirin.' },
  NOTHING_TO_CHANGE: {
    status: 400,
    en: 'Nothing was given that could be changed.',
    tr: 'Değiştirilecek bir şey verilmedi.',
  },
  MALFORMED_JSON: { status: 400, en: 'The request body is not valid JSON.', tr: 'İstek gövdesi geçerli JSON değil.' },
  BAD_REQUEST: { status: 400, en: 'The request could not be understood.', tr: 'İstek anlaşılamadı.' },
  NOT_SIGNED_IN: { status: 401, en: 'Please sign in.', tr: 'Lütfen giriş yapın.' },
  FORBIDDEN: { status: 403, en: 'You are not allowed to do this.', tr: 'Bunu yapma yetkiniz yok.' },
  CROSS_SITE: {
    status: 403,
    en: 'This request did not come from our own page.',
    tr: 'Bu istek kendi sayfamızdan gelmedi.',
  },
  CONFIRMATION_REQUIRED: {
    status: 403,
    en: 'Please confirm that it is you first.',
    tr: 'Lütfen önce siz olduğunuzu doğrulayın.',
  },
  NOT_FOUND: { status: 404, en: 'Not found.', tr: 'Bulunamadı.' },
  METHOD_NOT_ALLOWED: { status: 405, en: 'This method is not allowed here.', tr: 'Bu yöntem burada kullanılamaz.' },
  NOT_ACCEPTABLE: { status: 406, en: 'This format is not offered.', tr: 'Bu biçim sunulmuyor.' },
  UNCLEAR_HOST: {
    status: 400,
    en: 'The request must name one host, once.',
    tr: 'İstek tek bir sunucu adını, bir kez belirtmelidir.',
  },
  BODY_TOO_COMPLEX: {
    status: 400,
    en: 'The request holds too many fields, or fields too deep inside one another.',
    tr: 'İstekte çok fazla ya da çok derin iç içe alan var.',
  },
  BODY_TOO_SLOW: {
    status: 408,
    en: 'The request took too long to arrive. Please try again.',
    tr: 'İsteğin ulaşması çok uzun sürdü. Lütfen yeniden deneyin.',
  },
  BODY_TOO_LARGE: { status: 413, en: 'The request is too large.', tr: 'İstek çok büyük.' },
  WORK_REQUIRED: {
    status: 428,
    en: 'Very many requests came from your network within the hour. Please try again in a while.',
    tr: 'Ağınızdan son bir saat içinde çok fazla istek geldi. Lütfen bir süre sonra yeniden deneyin.',
  },
  UNSUPPORTED_TYPE: {
    status: 415,
    en: 'This content type is not accepted here.',
    tr: 'Bu içerik türü burada kabul edilmiyor.',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    en: 'Too many tries. Please try again {when}.',
    tr: 'Çok fazla deneme yapıldı. Lütfen {when} yeniden deneyin.',
  },
  INTERNAL: {
    status: 500,
    en: 'Something went wrong on our side. Please try again.',
    tr: 'Bizden kaynaklanan bir sorun oluştu. Lütfen yeniden deneyin.',
  },
  SERVER_BUSY: {
    status: 503,
    en: 'Too many people are signing in at this moment. Please try again in a few seconds.',
    tr: 'Şu anda çok fazla kişi giriş yapıyor. Lütfen birkaç saniye sonra yeniden deneyin.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    en: 'A part of the service is not reachable at the moment. Please try again shortly.',
    tr: 'Hizmetin bir bölümüne şu anda ulaşılamıyor. Lütfen birazdan yeniden deneyin.',
  },
});

/** Refuses a try, and says when the next one is taken. @param retryAfter in seconds */
export function tooManyRequests(retryAfter: number): AppError {
  return commonErrors.TOO_MANY_REQUESTS({ when: waitSentence(retryAfter) }, { retryAfter });
}
