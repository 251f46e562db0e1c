import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, hasCode, NETWORK_ERROR } from '../api/api-error';
import { PROXY_BODY_LIMIT, proxyBodyLimit } from '../api/proxy-body-limit';
import { formatSize } from '../format/size';
import { useLanguage } from './use-format';

/**
 * Returns a function that gives the message for an error: the server's own, else a general one in the page's language.
 */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation();
  const language = useLanguage();
  return useCallback(
    (error: unknown) => {
      if (error instanceof ApiError && error.code === NETWORK_ERROR) return t('errors.network');
      if (hasCode(error, PROXY_BODY_LIMIT)) {
        const { chunkSize } = proxyBodyLimit;
        return chunkSize === Infinity
          ? t('errors.frontLimitUnknown')
          : t('errors.frontLimit', { size: formatSize(chunkSize, language) });
      }
      if (error instanceof ApiError && error.message) return error.message;
      return t('errors.unexpected');
    },
    [t, language],
  );
}
