import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTitle } from '../../shared/hooks/use-title';
import { PublicFrame } from '../../shared/public-ui/public-frame';
import { useSite } from '../../shared/site/use-site';
import { LegalText } from './legal-text';
import './privacy.css';

interface Props {
  page: 'terms' | 'imprint';
  /** Shown if there is no text. */
  fallback: ReactNode;
}

/** The terms or the imprint, if the operator has published them. */
export function LegalPage({ page, fallback }: Props) {
  const { data: site } = useSite();
  return site?.legal?.[page] === null ? fallback : <LegalPageContent page={page} />;
}

function LegalPageContent({ page }: Pick<Props, 'page'>) {
  const { t } = useTranslation('privacy');
  const { data: site, error } = useSite();
  useTitle(t(page));
  return (
    <PublicFrame>
      <article className="z-privacy">
        <h1 className="z-title">{t(page)}</h1>
        {error && !site ? <p className="z-notice">{t('failed')}</p> : site && <LegalText page={page} />}
      </article>
    </PublicFrame>
  );
}
