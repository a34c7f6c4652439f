import MailServerFixture

extension CyrusFixture {
    /// imapd.conf(5).
    var configuration: String {
        """
        configdirectory: \(directory)/conf
        defaultpartition: default
        partition-default: \(directory)/spool
        servername: localhost
        cyrus_user: \(owner.name)
        cyrus_group: \(owner.group)
        unixhierarchysep: yes
        altnamespace: yes
        allowplaintext: yes
        autocreate_quota: 0
        duplicatesuppression: no
        sasl_mech_list: PLAIN LOGIN
        sasl_pwcheck_method: auxprop
        sasl_auxprop_plugin: sasldb
        sasl_sasldb_path: \(directory)/sasldb
        tls_server_cert: \(directory)/tls/server.pem
        tls_server_key: \(directory)/tls/server.key
        tls_versions: tls1_2 tls1_3
        lmtpsocket: \(directory)/conf/socket/lmtp
        idlesocket: \(directory)/conf/socket/idle
        syslog_prefix: cyrus-fixture

        """
    }

    /// cyrus.conf(5). idled announces new mail to connections in IDLE.
    var services: String {
        """
        START {
          recover cmd="\(program("ctl_cyrusdb")) -r"
          idled cmd="\(program("idled"))"
        }
        SERVICES {
          imap cmd="\(program("imapd"))" listen="127.0.0.1:\(plainPort)" prefork=0
          imaps cmd="\(program("imapd")) -s" listen="127.0.0.1:\(port)" prefork=0
          lmtpunix cmd="\(program("lmtpd")) -a" listen="\(directory)/conf/socket/lmtp" prefork=0
        }

        """
    }

    private func program(_ name: String) -> String {
        programs.path("/usr/lib/cyrus/bin/\(name)") + " -C \(directory)/imapd.conf"
    }
}
