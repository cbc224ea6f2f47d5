// What was changed, in words: the audit trail's actions as the daemon writes them.
export const ACTIONS: Readonly<Record<string, string>> = {
  "announcement.activate": "Announcement activated",
  "announcement.create": "Announcement created",
  "announcement.deactivate": "Announcement deactivated",
  "announcement.delete": "Announcement deleted",
  "announcement.edit": "Announcement edited",
  "campaign.cancel": "Campaign cancelled",
  "campaign.confirm": "Campaign confirmed",
  "campaign.pause": "Campaign paused",
  "campaign.resume": "Campaign resumed",
  "carrier.drain": "Carrier drained",
  "carrier.hang_up": "Calls ended",
  "carrier.pause": "Carrier paused",
  "carrier.reroute": "Messages rerouted",
  "carrier.resume": "Carrier resumed",
  "carrier.test": "Test message sent",
  "carrier.trace": "PDU trace started",
  "carriers.reload": "Carriers reloaded",
  "dnd.import": "Do-Not-Disturb numbers imported",
  "dnd.replace": "Do-Not-Disturb list replaced",
  "maintenance.disable": "Maintenance ended",
  "maintenance.enable": "Maintenance started",
  "message.resolve": "Unknown messages settled",
  "optout.add": "Opt-out added",
  "optout.import": "Opt-outs imported",
  "optout.remove": "Opt-out removed",
  "own_number.refuse": "Own number refused",
  "own_number.verify": "Own number verified",
  "own_number.withdraw": "Own number withdrawn",
  "payment.recheck": "Payment checked again",
  "price.set": "Price set",
  "sender.approve": "Sender ID approved",
  "sender.disapprove": "Sender ID rejected",
  "sender.purpose": "Default purpose of a sender ID changed",
  "setting.set": "Setting changed",
  "subject.export": "Data about a number exported",
  "subject.show": "Data about a number viewed",
  "user.activate": "User activated",
  "user.create": "User created",
  "user.deactivate": "User deactivated",
  "user.delete": "User deleted",
  "user.limits": "Spending limits changed",
  "user.purpose": "Default purpose of an account changed",
  "user.rate_plan": "Rate plan of an account changed",
  "user.message": "User messaged",
  "virtual_number.assign": "Virtual number assigned",
  "virtual_number.delete": "Virtual number deleted",
  "wallet.credit": "Wallet credited",
  "webhook.redeliver": "Webhook delivery repeated",
};

/** One that has no words yet is shown as the daemon writes it. */
export const actionName = (action: string) => ACTIONS[action] ?? action;

/** To choose one from, by their words. */
export const ACTION_CHOICES = Object.entries(ACTIONS)
  .map(([id, name]) => ({ id, name }))
  .sort((a, b) => a.name.localeCompare(b.name));
