import { useTranslation } from 'react-i18next';
import { useAppName } from '../../shared/site/app-name';
import { useTitle } from '../../shared/hooks/use-title';
import { PublicFrame } from '../../shared/public-ui/public-frame';
import { useSite } from '../../shared/site/use-site';
import { RetentionList } from './retention-list';
import { LegalText } from './legal-text';
import { Processors } from './processors';
import './privacy.css';

/**
 * The operator's privacy text, and what this installation stores about people and for how long, from its configuration.
 */
export function PrivacyPage() {
  const { t } = useTranslation('privacy');
  const { data: site, error } = useSite();
  useTitle(t('title'));
  const appName = useAppName();
  const lead = t('lead', { name: site?.name ?? appName });
  const hasOperatorText = site?.legal?.privacy != null;
  return (
    <PublicFrame>
      <article className="z-privacy">
        <h1 className="z-title">{t('title')}</h1>
        {hasOperatorText && <LegalText page="privacy" />}
        {hasOperatorText ? <h2>{lead}</h2> : <p className="z-second">{lead}</p>}
        <h2>{t('whileMember')}</h2>
        <p>{t('account')}</p>
        <p>{t('membership')}</p>
        <h2>{t('lives')}</h2>
        <p>{t('livesText')}</p>
        {error && !site ? (
          <p className="z-notice">{t('failed')}</p>
        ) : (
          site?.retention && <RetentionList {...site.retention} />
        )}
        {site && <Processors site={site} />}
        <h2>{t('rights')}</h2>
        <p>{t('rightsText')}</p>
        {site?.contactEmail && <Contact email={site.contactEmail} />}
      </article>
    </PublicFrame>
  );
}

function Contact({ email }: { email: string }) {
  const { t } = useTranslation('privacy');
  return (
    <p>
      {t('contact')} <a href={`mailto:${email}`}>{email}</a>
    </p>
  );
}
