import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useParams } from 'react-router';
import { useStartStep } from '../../shared/account/use-start-step';
import { $api } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { inZone, toId } from '../../shared/api/use-zone';
import { useLanguage } from '../../shared/hooks/use-format';
import { toast } from '../../shared/toast/toast-store';
import { JoinScreen } from './components/join-screen';
import { VisitorBar } from './components/visitor-bar';
import { ofPublicZone } from './join-target';

/** /zones/{id}/visitor: for those who look after a zone, the page that a link to it shows to a visitor. */
export function VisitorPreviewPage() {
  const { t } = useTranslation('join');
  const id = toId(useParams().zoneId);
  const { pathname } = useLocation();
  const { data: user } = useCurrentUser();
  const language = useLanguage();
  const { data, error, refetch } = $api.useQuery(
    'get',
    '/api/zones/{id}/visitor-preview',
    { params: { path: inZone(id) }, headers: { 'Accept-Language': language } },
    { enabled: Boolean(user) },
  );
  const tell = useStartStep();
  const isShown = data !== undefined;
  useEffect(() => {
    if (isShown) tell('visitorPreview');
  }, [isShown, tell]);
  if (user === null) return <Navigate to={`/auth?next=${encodeURIComponent(pathname)}`} replace />;
  return (
    <JoinScreen
      kind="public"
      target={data && ofPublicZone(data)}
      error={error}
      onRetry={refetch}
      preview={{ bar: <VisitorBar zoneId={id} />, onSend: () => toast.show({ title: t('preview.notSent') }) }}
    />
  );
}
