// What react-admin has to say is said by the console's own toasts.
import { useEffect } from "react";
import { useNotificationContext, useTranslate } from "react-admin";
import { formToasts } from "../form/toasts";

export function Notifications() {
  const { notifications, takeNotification } = useNotificationContext();
  const translate = useTranslate();
  useEffect(() => {
    if (notifications.length === 0) return;
    const said = takeNotification();
    if (!said || typeof said.message !== "string") return;
    const text = translate(said.message, { _: said.message, ...said.notificationOptions?.messageArgs });
    if (said.type === "error" || said.type === "warning") formToasts.error(text);
    // What is created, changed or deleted it calls an information.
    else formToasts.success(text);
  }, [notifications, takeNotification, translate]);
  return null;
}
