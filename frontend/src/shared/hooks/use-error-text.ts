import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, hasCode, NETWORK } from '../api/api-error';
import { FRONT_LIMIT, frontLimit } from '../api/front-limit';
import { formatSize } from '../format/size';
import { useLanguage } from './use-format';

/** Gives the sentence for a failure: the server's own when it sent one, else a general one in the page's language. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation();
  const language = useLanguage();
  return useCallback(
    (error: unknown) => {
      if (error instanceof ApiError && error.code === NETWORK) return t('errors.network');
      if (hasCode(error, FRONT_LIMIT)) {
        const { piece } = frontLimit;
        return piece === Infinity
          ? t('errors.frontLimitUnknown')
          : t('errors.frontLimit', { size: formatSize(piece, language) });
      }
      if (error instanceof ApiError && error.message) return error.message;
      return t('errors.unexpected');
    },
    [t, language],
  );
}
