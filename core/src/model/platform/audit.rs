//! What the audit trail tells of.

words! {
    /// What was done, as `noun.verb`. The trail also holds what daemons of other versions wrote, which is shown as it is.
    AuditAction {
        /// An announcement was written.
        AnnouncementCreate = "announcement.create",
        /// An announcement was changed.
        AnnouncementEdit = "announcement.edit",
        /// An announcement is shown.
        AnnouncementActivate = "announcement.activate",
        /// An announcement is not shown any more.
        AnnouncementDeactivate = "announcement.deactivate",
        /// An announcement was removed.
        AnnouncementDelete = "announcement.delete",
        /// The breaker of a carrier for a network was closed.
        BreakerClose = "breaker.close",
        /// The breaker of a carrier for a network was opened.
        BreakerOpen = "breaker.open",
        /// A campaign was confirmed for its owner.
        CampaignConfirm = "campaign.confirm",
        /// Another user's campaign was paused.
        CampaignPause = "campaign.pause",
        /// Another user's campaign goes on.
        CampaignResume = "campaign.resume",
        /// Another user's campaign was given up.
        CampaignCancel = "campaign.cancel",
        /// A carrier goes on.
        CarrierResume = "carrier.resume",
        /// A carrier was paused.
        CarrierPause = "carrier.pause",
        /// A carrier is drained.
        CarrierDrain = "carrier.drain",
        /// The calls of a trunk were ended.
        CarrierHangUp = "carrier.hang_up",
        /// What waits for a carrier was led to others.
        CarrierReroute = "carrier.reroute",
        /// A test message was sent by a carrier.
        CarrierTest = "carrier.test",
        /// The traffic of a carrier is recorded.
        CarrierTrace = "carrier.trace",
        /// The configuration of carriers was read again.
        CarriersReload = "carriers.reload",
        /// Numbers came on the Do-Not-Disturb list.
        DndImport = "dnd.import",
        /// The Do-Not-Disturb list was replaced.
        DndReplace = "dnd.replace",
        /// The platform is under maintenance.
        MaintenanceEnable = "maintenance.enable",
        /// The maintenance is over.
        MaintenanceDisable = "maintenance.disable",
        /// An unknown message was settled by a person.
        MessageResolve = "message.resolve",
        /// A number came on the list of opt-outs of the platform.
        OptOutAdd = "optout.add",
        /// A number left the list of opt-outs of the platform.
        OptOutRemove = "optout.remove",
        /// Opt-outs of the platform were imported.
        OptOutImport = "optout.import",
        /// The person called refused that a number is verified.
        OwnNumberRefuse = "own_number.refuse",
        /// A number was verified as a caller id.
        OwnNumberVerify = "own_number.verify",
        /// A verified number was withdrawn.
        OwnNumberWithdraw = "own_number.withdraw",
        /// A provider was asked once more about a payment.
        PaymentRecheck = "payment.recheck",
        /// A price was set.
        PriceSet = "price.set",
        /// What was kept for long enough was erased.
        RetentionErase = "retention.erase",
        /// A time after which what is kept is erased is new, or shorter.
        RetentionTerm = "retention.term",
        /// A sender ID was approved.
        SenderApprove = "sender.approve",
        /// A sender ID was disapproved.
        SenderDisapprove = "sender.disapprove",
        /// A sender ID was given a default purpose, or it was taken.
        SenderPurpose = "sender.purpose",
        /// A setting was set.
        SettingSet = "setting.set",
        /// A number was erased.
        SubjectErase = "subject.erase",
        /// What is held about a number was exported.
        SubjectExport = "subject.export",
        /// What is held about a number was looked at.
        SubjectShow = "subject.show",
        /// An account was activated.
        UserActivate = "user.activate",
        /// An account was made.
        UserCreate = "user.create",
        /// The right of an account to send codes was withdrawn, or given back.
        UserCodes = "user.codes",
        /// An account was deactivated.
        UserDeactivate = "user.deactivate",
        /// An account was deleted.
        UserDelete = "user.delete",
        /// A customer's data is under a legal hold.
        UserHold = "user.hold",
        /// The limits of an account were set.
        UserLimits = "user.limits",
        /// An account was given a default purpose, or it was taken.
        UserPurpose = "user.purpose",
        /// An account was given a rate plan, or it was taken.
        UserRatePlan = "user.rate_plan",
        /// The legal hold on a customer's data was lifted.
        UserUnhold = "user.unhold",
        /// Users were written to.
        UserMessage = "user.message",
        /// A virtual number was assigned.
        VirtualNumberAssign = "virtual_number.assign",
        /// A virtual number was deleted.
        VirtualNumberDelete = "virtual_number.delete",
        /// A wallet was credited by hand.
        WalletCredit = "wallet.credit",
        /// Failed events of a webhook are sent again.
        WebhookRedeliver = "webhook.redeliver",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_say_every_action_in_words() {
        let page = include_str!("../../../../console/src/admin/audit/actions.ts");
        for action in AuditAction::ALL {
            assert!(page.contains(&format!("\n  \"{}\": \"", action.code())), "{}", action.code());
        }
    }
}
