import { useEffect } from 'react';
import { useNotificationContext, useTakeUndoableMutation, useTranslate } from 'react-admin';
import { toast } from '../../shared/toast/toast-store';

/** Shows react-admin's notifications as toasts. Actions it would delay for an undo run at once. */
export function Notifications() {
  const { notifications, takeNotification } = useNotificationContext();
  const takeMutation = useTakeUndoableMutation();
  const translate = useTranslate();
  useEffect(() => {
    if (notifications.length === 0) return;
    const notification = takeNotification();
    if (!notification) return;
    const { message, type, notificationOptions } = notification;
    if (notificationOptions?.undoable) takeMutation()?.({ isUndo: false });
    const { messageArgs } = notificationOptions ?? {};
    const title = typeof message === 'string' ? translate(message, { _: message, ...messageArgs }) : '';
    if (title) toast.show({ title, tone: type === 'error' || type === 'success' ? type : 'plain' });
  }, [notifications, takeNotification, takeMutation, translate]);
  return null;
}
