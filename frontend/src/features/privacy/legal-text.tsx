import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../shared/api/client';
import { useLanguage } from '../../shared/hooks/use-format';
import type { LegalPage } from '../../shared/site/legal-link';
import { PlainText } from './plain-text';

/** The operator's legal text for a page; hidden if there is none. */
export function LegalText({ page }: { page: LegalPage }) {
  const { t } = useTranslation('privacy');
  const { data, error } = $api.useQuery(
    'get',
    '/api/site/legal/{page}',
    { params: { path: { page } } },
    { staleTime: Infinity },
  );
  if (error && !data) return <p className="z-notice">{t('failed')}</p>;
  if (!data) return <p role="status">{t('loading')}</p>;
  return <LegalTextBody {...data} />;
}

/** The URL of the text, or the text itself; falls back to the other language if it isn't written in the current one. */
function LegalTextBody({ address, texts }: Schema<'LegalPageDto'>) {
  const { t } = useTranslation('privacy');
  const language = useLanguage();
  if (address !== null) {
    return (
      <p>
        {t('elsewhere')}{' '}
        <a href={address} rel="noreferrer">
          {address}
        </a>
      </p>
    );
  }
  const otherLanguage = language === 'en' ? 'tr' : 'en';
  const textLanguage = texts[language] === null ? otherLanguage : language;
  return <PlainText text={texts[textLanguage] ?? ''} lang={textLanguage} />;
}
