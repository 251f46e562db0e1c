import Box from '@mui/material/Box';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  zoneId: string;
  subject: string;
  htmlContent: string;
}

/**
 * Shows the draft as rendered by the server. The content is posted as a form into an iframe, so that the email is a
 * separate document with the strict Content Security Policy sent by the server; the previous iframe stays until the new
 * one has loaded.
 */
export function PreviewFrame({ zoneId, subject, htmlContent }: Props) {
  const { t } = useTranslation('campaigns');
  const contentKey = `${zoneId}\n${subject}\n${htmlContent}`;
  const [frames, setFrames] = useState([{ at: 0, contentKey }]);
  const newest = frames.at(-1)!;
  if (newest.contentKey !== contentKey) setFrames([...frames.slice(0, 1), { at: newest.at + 1, contentKey }]);
  return (
    <>
      {frames.map((frame, index) => (
        <PreviewIframe
          key={frame.at}
          title={t('preview.frame')}
          action={`/api/zones/${zoneId}/campaigns/preview`}
          fields={frame === newest ? { subject, htmlContent } : null}
          isHidden={index > 0}
          onLoaded={() => setFrames((now) => now.filter(({ at }) => at >= frame.at))}
        />
      ))}
    </>
  );
}

interface FrameProps {
  title: string;
  action: string;
  /** Fields to post, once; null for a frame that has loaded already. */
  fields: Record<string, string> | null;
  isHidden: boolean;
  onLoaded: () => void;
}

function PreviewIframe({ title, action, fields, isHidden, onLoaded }: FrameProps) {
  const name = `preview${useId()}`;
  const isPostedRef = useRef(false);
  useEffect(() => {
    if (isPostedRef.current || !fields) return;
    postForm(action, name, fields);
    isPostedRef.current = true;
  }, [action, name, fields]);
  return (
    <Box
      component="iframe"
      name={name}
      title={title}
      tabIndex={isHidden ? -1 : 0}
      aria-hidden={isHidden}
      // Ignores the load event of the iframe's initial blank document.
      onLoad={() => isPostedRef.current && onLoaded()}
      sx={{ position: 'absolute', inset: 0, width: '100%', height: '100%', border: 0, opacity: isHidden ? 0 : 1 }}
    />
  );
}

function postForm(action: string, target: string, fields: Record<string, string>): void {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action, target, hidden: true });
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
