import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useParams } from 'react-router';
import { useCompleteOnboardingStep } from '../../shared/account/use-onboarding';
import { $api } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { zonePathParams, parseId } from '../../shared/api/use-zone';
import { useLanguage } from '../../shared/hooks/use-format';
import { toast } from '../../shared/toast/toast-store';
import { JoinScreen } from './components/join-screen';
import { VisitorPreviewBanner } from './components/visitor-preview-banner';
import { fromPublicZone } from './join-target';

/** /zones/{id}/visitor: shows people who manage a zone how its link looks to a visitor. */
export function VisitorPreviewPage() {
  const { t } = useTranslation('join');
  const id = parseId(useParams().zoneId);
  const { pathname } = useLocation();
  const { data: user } = useCurrentUser();
  const language = useLanguage();
  const { data, error, refetch } = $api.useQuery(
    'get',
    '/api/zones/{id}/visitor-preview',
    { params: { path: zonePathParams(id) }, headers: { 'Accept-Language': language } },
    { enabled: Boolean(user) },
  );
  const completeOnboardingStep = useCompleteOnboardingStep();
  const isLoaded = data !== undefined;
  useEffect(() => {
    if (isLoaded) completeOnboardingStep('visitorPreview');
  }, [isLoaded, completeOnboardingStep]);
  if (user === null) return <Navigate to={`/auth?next=${encodeURIComponent(pathname)}`} replace />;
  return (
    <JoinScreen
      kind="public"
      target={data && fromPublicZone(data)}
      error={error}
      onRetry={refetch}
      preview={{
        banner: <VisitorPreviewBanner zoneId={id} />,
        onSubmit: () => toast.show({ title: t('preview.notSent') }),
      }}
    />
  );
}
