import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSite } from '../api/use-site';
import { appName } from '../app-name';
import { ColorModeSwitch, LanguageSwitch } from './preferences';

/** The end of a public page; `brief` where nothing is to lead away from its one card. */
export function PublicFooter({ brief }: { brief: boolean }) {
  return (
    <footer className="z-footer">
      {!brief && <Imprint />}
      <OwnerLine />
    </footer>
  );
}

function OwnerLine() {
  const { t } = useTranslation();
  return (
    <div className="z-footer-row">
      <span>{t('footer.owner', { year: new Date().getFullYear(), name: appName })}</span>
      <span className="z-preferences">
        <LanguageSwitch />
        <ColorModeSwitch />
      </span>
    </div>
  );
}

/** Who runs this installation, as far as it is configured, and where to go on. */
function Imprint() {
  const { t } = useTranslation();
  const { data: site } = useSite();
  const { name, director, type, phone, address } = site?.company ?? {};
  const email = site?.contactEmail;
  const subject = encodeURIComponent(t('footer.enterpriseSubject'));
  const lines = [name, director && t('footer.director', { name: director }), type, address].filter(Boolean);
  return (
    <div className="z-footer-row z-imprint">
      {(lines.length > 0 || phone || email) && (
        <address>
          {lines.map((line) => (
            <span key={line}>{line}</span>
          ))}
          {phone && <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>}
          {email && <a href={`mailto:${email}`}>{email}</a>}
        </address>
      )}
      <nav aria-label={t('footer.links')}>
        <Link to="/pricing">{t('footer.pricing')}</Link>
        <Link to="/auth?mode=register">{t('footer.signUp')}</Link>
        {email && <a href={`mailto:${email}`}>{t('footer.contact')}</a>}
        {email && <a href={`mailto:${email}?subject=${subject}`}>{t('footer.enterprise')}</a>}
      </nav>
    </div>
  );
}
