import { useTranslation } from 'react-i18next';
import type { Schema } from '../../shared/api/client';
import { appName } from '../../shared/app-name';
import { useFormat } from '../../shared/hooks/use-format';
import { useTitle } from '../../shared/hooks/use-title';
import { PublicFrame } from '../../shared/plain/public-frame';
import { useSite } from '../../shared/site/use-site';
import './privacy.css';

type Site = Schema<'SiteDto'>;
const kinds = ['ips', 'linkUsages', 'campaignEvents', 'activity', 'webhookBodies'] as const;

/** What this installation keeps of people, and for how long: as it is configured. */
export function PrivacyPage() {
  const { t } = useTranslation('privacy');
  const { data: site, error } = useSite();
  useTitle(t('title'));
  return (
    <PublicFrame>
      <article className="z-privacy">
        <h1 className="z-title">{t('title')}</h1>
        <p className="z-second">{t('lead', { name: site?.name ?? appName })}</p>
        <h2>{t('whileMember')}</h2>
        <p>{t('account')}</p>
        <p>{t('membership')}</p>
        <h2>{t('lives')}</h2>
        <p>{t('livesText')}</p>
        {error && !site ? <p className="z-notice">{t('failed')}</p> : site && <Lives {...site.retention} />}
        <h2>{t('rights')}</h2>
        <p>{t('rightsText')}</p>
        {site?.contactEmail && <Contact email={site.contactEmail} />}
      </article>
    </PublicFrame>
  );
}

function Lives(lives: Site['retention']) {
  const { t } = useTranslation('privacy');
  const format = useFormat();
  return (
    <table className="z-privacy-lives">
      <thead>
        <tr>
          <th scope="col">{t('what')}</th>
          <th scope="col">{t('howLong')}</th>
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => (
          <tr key={kind}>
            <th scope="row">{t(kind)}</th>
            <td>
              {lives[kind] === 0
                ? t('forever')
                : t('days', { count: lives[kind], formatted: format.number(lives[kind]) })}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
