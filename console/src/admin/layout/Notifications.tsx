// What react-admin has to say is said by the console's own toasts.
import { useEffect } from "react";
import { useNotificationContext, useTranslate } from "react-admin";
import { toast } from "../../design/toasts";

export function Notifications() {
  const { notifications, takeNotification } = useNotificationContext();
  const translate = useTranslate();
  useEffect(() => {
    if (notifications.length === 0) return;
    const said = takeNotification();
    if (!said || typeof said.message !== "string") return;
    const text = translate(said.message, { _: said.message, ...said.notificationOptions?.messageArgs });
    if (said.type === "success") toast.success(text);
    else if (said.type === "error" || said.type === "warning") toast.error(text);
    else toast.info(text);
  }, [notifications, takeNotification, translate]);
  return null;
}
