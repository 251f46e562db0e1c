import { defineErrors } from '../../platform/errors/app-error.js';

export const planErrors = defineErrors({
  PLAN_LIMIT: {
    status: 403,
    en: "You've reached your plan's limit. Upgrade to add more.",
    tr: 'Planınızın sınırına ulaştınız. Daha fazlası için planınızı yükseltin.',
  },
});

/** The text of PLAN_LIMIT for each metric. */
export const limitMessages = {
  zones: {
    en: "You have reached your plan's zone limit. Upgrade to create more zones.",
    tr: 'Planınızın bölge sınırına ulaştınız. Daha fazla bölge için planınızı yükseltin.',
  },
  people: {
    en: "You've reached your plan's limit of members and invitations. Upgrade to add more.",
    tr: 'Planınızın üye ve davet sınırına ulaştınız. Daha fazlası için planınızı yükseltin.',
  },
  bytes: {
    en: "You've reached your plan's storage limit. Upgrade to store more files.",
    tr: 'Planınızın depolama sınırına ulaştınız. Daha fazla dosya için planınızı yükseltin.',
  },
  mails: {
    en: "You've reached your plan's monthly email limit. Upgrade to send more.",
    tr: 'Planınızın aylık e-posta sınırına ulaştınız. Daha fazla göndermek için planınızı yükseltin.',
  },
} as const;
